"""Calls that many threads may make."""

import pytest

from cases import needs_gpu
from onthefly.experiments.gpu import device_calls
from onthefly.tools import threads

CUDA = needs_gpu("torch", "cupy")


@pytest.mark.parametrize("name", device_calls.torch_calls("cpu"))
def test_calls_of_torch_may_be_made_by_many_threads(name):
    call = device_calls.torch_calls("cpu", size=1000)[name]
    threads.together(call, 4)()


def test_copies_arrive_in_the_threads_own_tensor():
    size = 321
    device_calls.torch_calls("cpu", size)["torch, copy in"]()
    own = threads.own(device_calls._empty("cpu"), size)
    assert own.shape == (size,) and 0 < float(own.mean()) < 1


@CUDA
def test_calls_of_cupy_may_be_made_by_many_threads():
    for name, call in device_calls.cupy_calls(size=1000, shots=100).items():
        assert name.startswith("CuPy")
        threads.together(call, 4)()
