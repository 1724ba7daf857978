"""Ways between lists, arrays and tensors."""

import sys

import numpy as np
import pytest

from onthefly.experiments.choice import conversions
from onthefly.experiments.choice.conversions import Journey
from onthefly.kernels.problems import PROBLEMS

X = np.random.default_rng(5).random(7)


def test_what_lacks_its_library_fails_when_it_is_called(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(
        sys.modules, "onthefly.tools.quiet_torch", raising=False
    )
    there = conversions.into({7: X})
    journey = Journey(PROBLEMS["polynomial"], "PyTorch", X)
    for call in (lambda: there["array to PyTorch"](7), journey):
        with pytest.raises(ImportError):
            call()
