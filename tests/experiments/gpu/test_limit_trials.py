"""The trials of the device's limit, there or on a stand-in for CuPy."""

import ctypes
import dataclasses
import importlib
import sys
import time
import types

import numpy as np
import pytest

from cases import cupy_device
from onthefly import machine
from onthefly.experiments.gpu import energy, roofs
from onthefly.kernels import pi_device_limit as limit
from onthefly.kernels import z_score
from onthefly.tools import cpp, devices, occupancy

GPU = pytest.mark.skipif(
    not devices.sees_cuda("cupy"),
    reason="CuPy sees no CUDA device",
)


REGISTERS = 34  # of each kernel: six blocks of 256 are resident
HELD = 6
RATE = 64  # steps that the stand-in does in a cycle


def cycles_of(turns, blocks):
    """Return the cycles of each block, among others that are resident."""
    return roofs.steps(turns, min(blocks, HELD) * roofs.THREADS) / RATE


class RawKernel:
    """CuPy's RawKernel by a C++ compiler: all threads in turn."""

    def __init__(self, code, name):
        self.after = limit._AFTER
        if name == "roof":
            kind = next(k for k in ("double", "float", "wide", "word")
                        if f"{k} *out" in code)  # fmt: skip
            self.after = roofs._AFTER % (256, kind)
        self.code, self.run, self.name = code, None, name
        self.num_regs = REGISTERS

    def __call__(self, grid, block, arguments):
        assert block == (256,)
        if self.run is None:
            self.run = limit.compiled(limit.BEFORE + self.code + self.after)
        *numbers, last = arguments
        arrays = [a for a in arguments if isinstance(a, np.ndarray)]
        plain = [ctypes.c_uint64(int(n)) for n in numbers
                 if not isinstance(n, np.ndarray)]  # fmt: skip
        if self.name == "roof":
            plain = [ctypes.c_uint(n.value) for n in plain]
            last[:] = cycles_of(plain[0].value, len(last))
        self.run(*plain, ctypes.c_void_p(arrays[0].ctypes.data),
                 ctypes.c_uint(grid[0]))  # fmt: skip


class Event:
    def record(self):
        self.time = time.perf_counter()

    def synchronize(self):
        pass


@pytest.fixture
def trials(monkeypatch):
    """The trials: on the device, or with a stand-in for CuPy."""
    if devices.sees_cuda("cupy"):
        from onthefly.experiments.gpu import limit_trials

        return limit_trials
    if cpp.missing():
        pytest.skip("no C++ compiler")
    fake = types.ModuleType("cupy")
    for name in ("zeros", "uint32", "uint64", "int64"):
        setattr(fake, name, getattr(np, name))
    fake.asnumpy, fake.RawKernel = np.asarray, RawKernel
    one = dataclasses.replace(
        occupancy.KNOWN["H200 (9.0)"], multiprocessors=1
    )
    device = cupy_device(one)
    fake.cuda = types.SimpleNamespace(
        is_available=lambda: False,
        Device=lambda: device, Event=Event,
        get_elapsed_time=lambda a, b: 1000 * (b.time - a.time))  # fmt: skip
    monkeypatch.setitem(sys.modules, "cupy", fake)
    name = "onthefly.experiments.gpu.limit_trials"
    monkeypatch.delitem(sys.modules, name, raising=False)
    module = importlib.import_module(name)
    yield module
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


def test_the_roofs_are_measured_and_checked(trials, monkeypatch):
    few = {k: roofs.ROOFS[k] for k in ("multiply-add", "float32")}
    monkeypatch.setattr(roofs, "ROOFS", few)
    monkeypatch.setattr(trials, "SAMPLE", 1e-5)
    times = trials.roofs(0.01)
    rates = [q.value for q in roofs.a_cycle(times).values()]
    assert min(rates) > 0
    if not machine.has_cuda():
        assert rates == pytest.approx([RATE] * len(few))
    wrong = dataclasses.replace(few["float32"], twin=lambda a, m, k: a)
    monkeypatch.setattr(roofs, "ROOFS", few | {"float32": wrong})
    with pytest.raises(ValueError, match="other numbers"):
        trials.roofs(0.01)


@GPU
def test_the_device_counts_its_energy(trials):
    times = trials.energy(0.1, 2, (limit.TUNED,))
    whole, net = energy.per_shots(times, limit.TUNED)
    assert whole.value > net.value > 0
