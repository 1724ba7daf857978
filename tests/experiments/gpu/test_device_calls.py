"""Calls that many threads may make; the names of a device's."""

import sys
from unittest import mock

import pytest

from onthefly import claims, results
from onthefly.experiments.gil import nogil
from onthefly.experiments.gpu import device_calls, enqueue, spin_trials
from onthefly.tools import devices, needs, threads

CUDA = pytest.mark.skipif(
    not all(map(devices.sees_cuda, ("torch", "cupy"))),
    reason="PyTorch or CuPy sees no GPU",
)
SLUG = "threads-and-the-gpu"


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


KERNELS = ("spin_cupy", "pi_cupy")


def named(function, *arguments):
    """Return the names of what `function` makes where CuPy is a dummy.

    It computes nothing: what a device would run has a name all the same.
    """
    modules = {f"onthefly.kernels.{name}": None for name in KERNELS}
    with mock.patch.dict(sys.modules, modules):
        for name in modules:
            del sys.modules[name]
        with mock.patch.dict(sys.modules, cupy=mock.MagicMock()):
            return list(function(*arguments))


def test_the_examples_have_the_names_of_the_devices_calls():
    calls = named(device_calls.cupy_calls)
    assert f"CuPy, graph of {device_calls.GRAPH}" in calls
    assert set(results.borrow(SLUG, "calls").names) == {
        *device_calls.torch_calls("cpu"), *calls, nogil.FREE, nogil.HELD
    }  # fmt: skip


def test_the_examples_have_the_names_of_the_streams():
    def ways():
        from onthefly.kernels import spin_cupy

        return spin_cupy.ways(1e-3, 4)

    times = results.borrow(SLUG, "spans")
    assert spin_trials.ways_of(times) == named(ways)
    assert times.sizes() == [1, 2, 3, 4]
    assert spin_trials.ways_of(results.borrow(SLUG, "host spans")) == [
        "GIL held", "GIL released"
    ]  # fmt: skip
    assert results.borrow(SLUG, "queue").names == [
        enqueue.RETURNED, enqueue.DONE
    ]  # fmt: skip


def test_the_ledger_judges_the_gpus_threads_in_one_chapter():
    ledger = claims.load()
    here = {c.id: c for c in ledger.of(SLUG)}
    assert {"cupy-full-nogil-question",
            "cupy-parallel-in-cuda-question"} <= set(here)  # fmt: skip

    def on_device(claim):
        return any(map(needs.on_device, claim.needs))

    assert all(c.expect and on_device(c) for c in here.values())
    assert not any(map(on_device, ledger.of("threading-and-nogil")))
