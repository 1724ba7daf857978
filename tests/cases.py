"""Cases that the tests of several folders share."""

import pytest

from onthefly.timings import Series, Timings
from onthefly.tools import devices

# What no kernel takes for a number of shots, and how it refuses.
bad_shots = pytest.mark.parametrize(
    ("shots", "error"),
    [(0, ValueError), (-3, ValueError), (2.5, TypeError), ("x", TypeError)],
)


def exact(**seconds):
    """Return Timings without noise."""
    return Timings(Series(k, None, 1.0, (s,) * 8) for k, s in seconds.items())


def torch_or_skip():
    """Return PyTorch, or skip the test."""
    pytest.importorskip("torch", exc_type=ImportError)
    return devices.library("torch")


def tensorflow_or_skip():
    """Return TensorFlow, or skip the test."""
    pytest.importorskip("tensorflow", exc_type=ImportError)
    return devices.library("tensorflow")
