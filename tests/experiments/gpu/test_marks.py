"""When work on a device begins and ends; on the processor, too."""

import itertools

import pytest
import torch

from onthefly.experiments.gpu import marks
from onthefly.kernels import copy_torch as copies

CUDA = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="PyTorch sees no GPU"
)
places = pytest.mark.parametrize(
    "place", ["cpu", pytest.param("cuda", marks=CUDA)]
)


@places
@pytest.mark.parametrize("streams", [1, 2, 3])
@pytest.mark.parametrize("chunks", [1, 3, 4])
def test_the_pipeline_gives_the_same_on_any_streams(place, chunks, streams):
    source = torch.linspace(-1, 1, 1000)
    target = torch.zeros(1000)
    mark, lanes = marks.Marks(place), copies.lanes(place, streams)
    copies.pipeline(source, target, chunks, lanes, 3, place, mark)
    expected = torch.sin(torch.sin(torch.sin(source)))
    assert torch.allclose(target, expected, rtol=1e-5)
    found = mark.seconds()
    assert set(found) == set(
        itertools.product(["in", "work", "out", "end"], range(1, chunks + 1))
    )
    assert found["in", 1] == 0 <= found["work", 1] <= found["out", 1]


@places
def test_marks_go_forward(place):
    mark = marks.Marks(place)
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
        returned, done = marks.returns(*pair)
        assert 0 < returned <= done
    assert marks.balance(torch.ones(10**5), place) >= 1
