"""The raw kernel's logic, by a C++ compiler and by NumPy; and on a device."""

import random
import shutil
import subprocess

import pytest

from cases import skip_if
from onthefly.kernels.pi import pi_raw
from onthefly.tools import cpp, devices

COMPILER = skip_if(cpp.missing())


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


@pytest.mark.parametrize("shots", [1, 7, 10_001])
@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (512, 256)])
def test_the_device_hits_what_numpy_hits(shots, shape):
    if not devices.sees_cuda("cupy"):
        pytest.skip("CuPy sees no CUDA device")
    from onthefly.kernels.pi.pi_cupy import hits_cupy_raw

    hits = int(hits_cupy_raw(shots, 99, *shape)[0])
    assert hits == pi_raw.hits_numpy(shots, 99)
