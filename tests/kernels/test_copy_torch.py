"""Copies by PyTorch: what goes in comes out, on a device or without."""

import itertools
import math

import numpy as np
import pytest
import torch

from cases import bad_shots
from onthefly.kernels import copy_torch as copies

CUDA = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="PyTorch sees no GPU"
)
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


@bad_shots
def test_a_bad_size_is_refused(shots, error):
    with pytest.raises(error):
        copies.pair(shots, "cpu")
    with pytest.raises(error):
        copies.operand("add", shots)


@places
@pytest.mark.parametrize("streams", [1, 2, 3])
@pytest.mark.parametrize("chunks", [1, 3, 4])
def test_the_pipeline_gives_the_same_on_any_streams(place, chunks, streams):
    source = torch.linspace(-1, 1, 1000)
    target = torch.zeros(1000)
    marks, lanes = copies.Marks(place), copies.lanes(place, streams)
    copies.pipeline(source, target, chunks, lanes, 3, place, marks)
    expected = torch.sin(torch.sin(torch.sin(source)))
    assert torch.allclose(target, expected, rtol=1e-5)
    found = marks.seconds()
    assert set(found) == set(
        itertools.product(["in", "work", "out", "end"], range(1, chunks + 1))
    )
    assert found["in", 1] == 0 <= found["work", 1] <= found["out", 1]


@places
def test_marks_go_forward(place):
    mark = copies.Marks(place)
    x = torch.ones(10**6, device=place)
    for label in "abc":
        x = copies.work(x, 3)
        mark(label)
    found = list(mark.seconds().values())
    assert found == sorted(found) and found[0] == 0 < found[-1]


@places
def test_a_call_returns_before_it_is_done(place):
    here, there = copies.pair(10**6, place)
    for pair in ((here, there), (there, here)):
        returned, done = copies.returns(*pair)
        assert 0 < returned <= done
    assert torch.equal(copies.pin_on_the_way(here, place).cpu(), here)
    assert copies.balance(torch.ones(10**5), place) >= 1


@places
@pytest.mark.parametrize("name", copies.OPERATIONS)
@pytest.mark.parametrize("size", [1, 100, 1025])
def test_the_device_gets_numpys_result(place, name, size):
    array = copies.operand(name, size, seed=3)
    assert np.array_equal(array, copies.operand(name, size, seed=3))
    assert array.dtype == np.float32
    assert array.size == (round(math.sqrt(size)) ** 2 if name == "matmul"
                          else size)  # fmt: skip
    by_numpy, _, width, units = copies.OPERATIONS[name]
    expected = by_numpy(array)
    found = copies.there_and_back(name, array, place)
    assert np.allclose(found, expected, rtol=1e-3, atol=1e-3)
    assert expected.nbytes == width * array.size and units(4) > 0
