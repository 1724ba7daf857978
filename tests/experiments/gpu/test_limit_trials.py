"""The trials of the device's limit, there or on a stand-in for CuPy."""

import ctypes
import dataclasses
import importlib
import sys
import types

import numpy as np
import pytest

from cases import needs_gpu
from onthefly.experiments.gpu import device_roofs, energy
from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_device_limit as limit
from onthefly.measure.timings import Timings
from onthefly.tools import cpp, devices

GPU = needs_gpu("cupy")


class RawKernel:
    """CuPy's RawKernel by a C++ compiler: all threads in turn."""

    def __init__(self, code, name):
        self.run = limit.compiled(limit.BEFORE + code + limit._AFTER)

    def __call__(self, grid, block, arguments):
        *numbers, hits = arguments
        self.run(
            *(ctypes.c_uint64(int(n)) for n in numbers),
            ctypes.c_void_p(hits.ctypes.data),
            ctypes.c_uint(grid[0]),
        )


@pytest.fixture
def trials(monkeypatch):
    """The trials: on the device, or with a stand-in for CuPy."""
    name = "onthefly.experiments.gpu.limit_trials"
    if devices.sees_cuda("cupy"):
        yield importlib.import_module(name)
        return
    if cpp.missing():
        pytest.skip("no C++ compiler")
    fake = types.ModuleType("cupy")
    fake.zeros, fake.uint32, fake.uint64 = np.zeros, np.uint32, np.uint64
    fake.asnumpy, fake.RawKernel = np.asarray, RawKernel
    monkeypatch.setitem(sys.modules, "cupy", fake)
    monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module(name)
    sys.modules.pop(name, None)


def test_the_trials_count_the_same_hits(trials):
    shots = limit.BLOCK + 99
    for way in (limit.TUNED, "Philox"):
        own = limit.hits_numpy(way, shots, 3)
        hits = trials.cp.asnumpy(trials.hits_device(way, shots, 3, 2))
        assert np.array_equal(hits, own)
        part = trials.hits_device(way, shots, 3, span=(1, 2), unroll=2)
        assert trials.cp.asnumpy(part).tolist() == own[1:].tolist()
    assert z_score(trials.pi_device(10**5), 10**5) < 5


def test_a_long_run_is_a_chain_of_launches(trials, monkeypatch):
    monkeypatch.setattr(trials, "CHUNK", 1)
    shots = 3 * limit.BLOCK
    hits = trials.law("hash", shots, 5, 60)
    assert np.array_equal(hits, limit.hits_numpy("hash", shots, 5))
    assert len(trials.law("hash", shots, 5, 0)) == 1


@GPU
def test_the_roofs_are_measured_and_checked(trials, monkeypatch):
    few = {k: device_roofs.ROOFS[k] for k in ("multiply-add", "float32")}
    monkeypatch.setattr(device_roofs, "ROOFS", few)
    rates = device_roofs.a_cycle(Timings.of(trials.roofs(0.01)))
    assert all(rate.value > 0 for rate in rates.values())
    wrong = dataclasses.replace(few["float32"], twin=lambda a, m, k: a)
    monkeypatch.setattr(device_roofs, "ROOFS", few | {"float32": wrong})
    with pytest.raises(ValueError, match="other numbers"):
        trials.roofs(0.01)


@GPU
def test_the_device_counts_its_energy(trials):
    times = Timings.of(trials.energy(0.1, 2, (limit.TUNED,)))
    whole, net = energy.per_shots(times, limit.TUNED)
    assert whole.value > net.value > 0
