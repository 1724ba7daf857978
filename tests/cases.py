"""Cases that the tests of several kernels share."""

import pytest

# What no kernel takes for a number of shots, and how it refuses.
bad_shots = pytest.mark.parametrize(
    ("shots", "error"),
    [(0, ValueError), (-3, ValueError), (2.5, TypeError), ("x", TypeError)],
)
