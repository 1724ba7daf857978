"""π by PyTorch, JAX, CuPy and the raw kernel, on the processor or a device.

What needs a GPU is skipped, with the reason, where there is none.
"""

import importlib

import pytest

from cases import bad_shots
from onthefly import machine
from onthefly.kernels import pi_raw, z_score
from onthefly.libraries import LIBRARIES
from onthefly.tools import cpp, devices

LARGE = 200_000

# {kernel: (module, library)}; those on a GPU apart.


KERNELS = {
    "pi_raw": ("pi_raw", None),
    "pi_torch_device": ("pi_torch_device", "torch"),
    "pi_torch_nonzero": ("pi_torch_device", "torch"),
    "pi_torch_moved": ("pi_torch_device", "torch"),
    "pi_torch_compiled": ("pi_torch_device", "torch"),
}


ON_GPU = {
    "pi_torch_device": ("pi_torch_device", "torch"),
    "pi_torch_nonzero": ("pi_torch_device", "torch"),
    "pi_torch_moved": ("pi_torch_device", "torch"),
    "pi_torch_compiled": ("pi_torch_device", "torch"),
    "pi_torch_captured": ("pi_torch_device", "torch"),
    "pi_jax": ("pi_jax", "jax"),
    "pi_cupy": ("pi_cupy", "cupy"),
    "pi_cupy_fused": ("pi_cupy", "cupy"),
    "pi_cupy_raw": ("pi_cupy", "cupy"),
}


WITH_DEVICE = {k for k in KERNELS if k.startswith("pi_torch")} | {"pi_jax"}


def kernel(name, gpu=False):
    """Return a kernel and its maker of streams, or skip the test."""
    module, library = (ON_GPU if gpu else KERNELS)[name]
    if gpu and not machine.has_cuda():
        pytest.skip("no CUDA device")
    if library and not LIBRARIES[library].here():
        pytest.skip(f"no {library}")
    if gpu and not devices.sees_cuda(library):
        pytest.skip(f"{library} sees no CUDA device")
    if name in ("pi_raw", "pi_torch_compiled") and cpp.missing():
        pytest.skip("no C++ compiler")
    found = importlib.import_module(f"onthefly.kernels.{module}")
    way = getattr(found, name)
    stream = found.stream
    if name == "pi_cupy_raw":
        stream = pi_raw.stream
    if gpu and name in WITH_DEVICE:
        return lambda shots, rng=None: way(shots, rng, "cuda"), stream
    return way, stream


@pytest.fixture(scope="module", autouse=True)
def compiler_cache(tmp_path_factory):
    """Let torch.compile write to a folder of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("inductor")
        patch.setenv("TORCHINDUCTOR_CACHE_DIR", str(folder))
        yield


EVERY = pytest.mark.parametrize(
    ("name", "gpu"),
    [(k, False) for k in KERNELS] + [(k, True) for k in ON_GPU],
)


@EVERY
@pytest.mark.parametrize("shots", [1, 7, 10_001, LARGE])
def test_a_kernel_estimates_pi(name, gpu, shots):
    estimate, stream = kernel(name, gpu)
    found = estimate(shots, stream(2018))
    assert 0 <= found <= 4
    assert shots < 100 or z_score(found, shots) < 5


@EVERY
def test_a_seed_repeats_the_result(name, gpu):
    estimate, stream = kernel(name, gpu)
    first, again = (estimate(10_000, stream(7)) for _ in range(2))
    assert first == again
    assert {estimate(10_000, stream(s)) for s in range(8, 12)} != {first}


@EVERY
@bad_shots
def test_bad_shots_are_refused(name, gpu, shots, error):
    with pytest.raises(error, match="shots must be"):
        kernel(name, gpu)[0](shots)
