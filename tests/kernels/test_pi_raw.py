"""The raw kernel's logic, by a C++ compiler and by NumPy; and on a device."""

import importlib
import random
import shutil
import subprocess
import sys
from unittest import mock

import pytest

from cases import cupy_device
from onthefly.kernels import pi_raw
from onthefly.tools import cpp, devices, occupancy

COMPILER = pytest.mark.skipif(bool(cpp.missing()), reason="no C++ compiler")


@COMPILER
@pytest.mark.parametrize("shots", [1, 2, 7, 255, 256, 257, 10_001])
@pytest.mark.parametrize("shape", [(1, 1), (1, 32), (3, 7), (512, 256)])
def test_the_raw_kernel_takes_any_launch_shape(shots, shape):
    key = random.Random(shots).getrandbits(64)
    hits = pi_raw.build()(shots, key, *shape)
    assert hits == pi_raw.hits_numpy(shots, key) <= shots


@pytest.mark.skipif(not shutil.which("nvcc"), reason="no nvcc")
def test_cuda_compiles_the_raw_kernel(tmp_path):
    source = tmp_path / "hits.cu"
    source.write_text(pi_raw.SOURCE)
    target = source.with_suffix(".ptx")
    subprocess.run(["nvcc", "--ptx", source, "-o", target], check=True)
    assert ".entry hits(" in target.read_text()


@pytest.fixture
def launches(monkeypatch):
    """The launches of pi_cupy on a stand-in for CuPy and an H200."""
    shapes = []

    class RawKernel:
        num_regs = 20  # as nvcc 13 counts them

        def __init__(self, code, name):
            pass

        def __call__(self, blocks, threads, arguments):
            shapes.append((*blocks, *threads))

    cupy = mock.MagicMock(RawKernel=RawKernel)
    limits = occupancy.KNOWN["H200 (9.0)"]
    cupy.cuda.Device = lambda: cupy_device(limits)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    name = "onthefly.kernels.pi_cupy"
    monkeypatch.delitem(sys.modules, name, raising=False)
    yield importlib.import_module(name), shapes
    sys.modules.pop(name, None)


def test_the_raw_kernel_fills_the_device(launches):
    pi_cupy, shapes = launches
    for shots in (1, 1000, 1 << 33):
        pi_cupy.hits_cupy_raw(shots, 99)
    pi_cupy.hits_cupy_raw(1000, 99, 3, 7)
    assert shapes == [(1, 256), (4, 256), (132 * 8, 256), (3, 7)]


@pytest.mark.parametrize("shots", [1, 7, 10_001])
@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (512, 256)])
def test_the_device_hits_what_numpy_hits(shots, shape):
    if not devices.sees_cuda("cupy"):
        pytest.skip("CuPy sees no CUDA device")
    from onthefly.kernels.pi_cupy import hits_cupy_raw

    hits = int(hits_cupy_raw(shots, 99, *shape)[0])
    assert hits == pi_raw.hits_numpy(shots, 99)
