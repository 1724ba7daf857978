"""Copies by PyTorch: what goes in comes out, on a device or without."""

import math

import numpy as np
import pytest
import torch

from cases import needs_gpu
from onthefly.kernels.copy import copy_torch as copies

CUDA = needs_gpu("torch")
places = pytest.mark.parametrize(
    "place", ["cpu", pytest.param("cuda", marks=CUDA)]
)


@places
@pytest.mark.parametrize("size", [1, 2, 251, 252, 4097])
def test_what_goes_in_comes_out(place, size):
    here, there = copies.pair(size, place, pinned=place == "cuda")
    assert not there.any()
    back = torch.zeros_like(here)
    copies.copy_out(copies.copy_in(here, there), back)
    assert torch.equal(back, here)
    assert here.tolist() == [k % 251 for k in range(size)]


@places
@pytest.mark.parametrize("name", copies.OPERATIONS)
@pytest.mark.parametrize("size", [1, 100, 1025])
def test_the_device_gets_numpys_result(place, name, size):
    array = copies.operand(name, size, seed=3)
    assert array.size == (round(math.sqrt(size)) ** 2 if name == "matmul"
                          else size)  # fmt: skip
    by_numpy, _, width, units = copies.OPERATIONS[name]
    expected = by_numpy(array)
    result = copies.there_and_back(name, array, place)
    assert np.allclose(result, expected, rtol=1e-3, atol=1e-3)
    assert expected.nbytes == width * array.size and units(4) > 0
