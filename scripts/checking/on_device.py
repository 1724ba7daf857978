"""Libraries that are tried on a CUDA device: each compiles a kernel there."""

from checking.cuda_kernel import square_by_numba
from checking.trial import Missing, entering
from onthefly.libraries import numba_clash

TRIALS = {}
trial = entering(TRIALS)


@trial("numba-cuda", lost="Numba on the GPU", kind="gpu")
def use_numba_cuda():
    if not TRIALS["numba-cuda"].version:  # Numba's own target is not it
        raise Missing("not installed")
    from numba import cuda

    if clash := numba_clash(cuda):
        raise RuntimeError(clash)
    return square_by_numba()


@trial("cupy", lost="CuPy", kind="gpu")
def use_cupy():
    import cupy as cp

    code = r"""extern "C" __global__ void square(double* x, int n) {
        int k = blockDim.x * blockIdx.x + threadIdx.x;
        if (k < n) x[k] *= x[k];
    }"""
    x = cp.arange(4.0)
    cp.RawKernel(code, "square")((1,), (8,), (x, 4))
    assert x.get().tolist() == [0, 1, 4, 9]
    return "a RawKernel compiled and run"


@trial("torch-cuda", lost="PyTorch on the GPU", kind="gpu")
def use_torch_cuda():
    import torch

    if not torch.version.cuda:
        raise Missing("a build without CUDA")
    square = torch.compile(lambda x: x * x)
    assert square(torch.arange(4.0, device="cuda")).tolist() == [0, 1, 4, 9]
    return f"a kernel compiled and run, CUDA {torch.version.cuda}"


@trial("jax-cuda", lost="JAX on the GPU", kind="gpu")
def use_jax_cuda():
    import numpy as np

    from onthefly.tools.quiet_jax import jax

    if not TRIALS["jax-cuda"].version:
        raise Missing("a build without CUDA")
    device = jax.devices("cuda")[0]
    x = np.arange(4.0)
    square = jax.jit(lambda x: x * x)(jax.device_put(x, device))
    assert square.devices() == {device} and np.allclose(square, x * x)
    return "a kernel compiled and run"


@trial("tensorflow-cuda", lost="TensorFlow on the GPU", kind="gpu")
def use_tensorflow_cuda():
    # As the chapters import it: by itself, 2.21.0 does not find cuSOLVER.
    from onthefly.tools.quiet_tensorflow import tf

    if not tf.test.is_built_with_cuda():
        raise Missing("a build without CUDA")
    if not tf.config.list_physical_devices("GPU"):
        raise RuntimeError("TensorFlow sees no GPU")

    @tf.function(jit_compile=True)
    def square(x):
        return x * x

    with tf.device("/GPU:0"):
        y = square(tf.range(4.0))
    assert "GPU" in y.device and y.numpy().tolist() == [0, 1, 4, 9]
    return "a kernel compiled and run"
