"""The best that each library does, on the processor and on a device, in the
same unit: seconds of 10^9 shots; and how fine its points are.

Loads a library only where its way is asked for.
"""

import functools

from onthefly.kernels import z_score
from onthefly.measure.clock import measure
from onthefly.measure.timings import Timings
from onthefly.tools import devices

SHOTS = 10**9  # what the seconds are for
# Bytes of a shot that all ways that make arrays hold at once: a library keeps
# what it has taken.  Up to six arrays of eight bytes for each of PyTorch, its
# captured graph, its compiled program and TensorFlow, four for CuPy.
HELD = (4 * 6 + 4) * 8

# {way: random bits of a coordinate}.  Fewer are less work, so that only ways
# of the same number compete.
BITS = {
    "Python": 53,
    "NumPy": 53,
    "Numba, documented": 53,
    "limit, one core": 16,
    "limit, all cores": 16,
    "limit in C, all cores": 16,
    "vectors, one core": 16,
    "vectors, all cores": 16,
    "PyTorch": 53,
    "PyTorch, captured": 53,
    "PyTorch, compiled": 53,
    "TensorFlow, XLA": 23,  # in single precision
    "CuPy, fused": 53,
    "CuPy, raw kernel": 31,
    "Numba CUDA": 53,
    "Numba CUDA, limit": 16,
    "CUDA C, limit": 16,
}


def timed(candidates, budget):
    """Return the Timings of SHOTS shots by each of the candidates.

    candidates  {name: (function of the number of shots that returns π, how
                many of them in a call)}

    Raises ValueError for an estimate five standard deviations off.
    """
    for name, (way, shots) in candidates.items():
        if z_score(estimate := way(shots), shots) > 5:
            raise ValueError(f"{name}: π = {estimate} from {shots} shots")
    calls = {k: functools.partial(*pair) for k, pair in candidates.items()}
    times = Timings.of(measure(calls, budget=budget))
    return times.scaled({k: SHOTS / n for k, (_, n) in candidates.items()})


def on_processor(cores):
    """Return the candidates of the processor, as `timed` takes them."""
    from onthefly.kernels.pi import (
        pi_limit,
        pi_limit_c,
        pi_numba,
        pi_numpy,
        pi_vectors,
    )
    from onthefly.kernels.pi.pi_python import pi_python

    def by_vectors(shots, threads):
        blocks = shots // pi_limit.BLOCK
        hits = pi_limit.hits_each_threads(
            pi_vectors.hits_vectors, blocks, pi_limit.BLOCK, 2018, threads
        )
        return 4.0 * int(hits.sum()) / (blocks * pi_limit.BLOCK)

    variants = {
        "Python": (pi_python, 10**4),
        "NumPy": (pi_numpy.pi_numpy_buffers, 10**6),
        "Numba, documented": (pi_numba.pi_numba, 10**6),
        "limit, one core": (pi_limit.pi_limit, 1 << 24),
        "limit, all cores": (
            functools.partial(pi_limit.pi_limit_threads, threads=cores),
            1 << 27,
        ),
        "vectors, one core": (
            functools.partial(by_vectors, threads=1),
            1 << 27,
        ),
        "vectors, all cores": (
            functools.partial(by_vectors, threads=cores),
            1 << 28,
        ),
    }
    if not pi_limit_c.missing():
        openmp = pi_limit_c.library().hits_openmp
        variants["limit in C, all cores"] = (
            lambda shots: 4.0 * openmp(shots, 2018, cores) / shots,
            1 << 27,
        )
    return variants


def fitting(free, most=10**8):
    """Return how many shots each way may make arrays of, on a device.

    free  bytes of its memory
    most  never more than so many
    """
    return min(most, int(free) // HELD)


def on_device():
    """Return the candidates of a CUDA device, as `timed` takes them.

    Needs CuPy and Numba on it; PyTorch and TensorFlow are left out where
    they see no device.  Ways that make arrays take as many shots as fit.
    """
    import cupy
    from numba import cuda

    from onthefly.experiments.gpu import kernel_timings, limit_trials
    from onthefly.kernels.pi import pi_cuda, pi_cuda_limit, pi_cupy

    streams = kernel_timings.held([pi_cuda.hits_stride])
    states = cuda.to_device(pi_cuda.states_hashed(2018, streams))
    many = 1 << 33
    free, _ = cupy.cuda.Device().mem_info
    shots = fitting(free)
    variants = {
        "CuPy, fused": (pi_cupy.pi_cupy_fused, shots),
        "CuPy, raw kernel": (pi_cupy.pi_cupy_raw, many),
        "Numba CUDA": (
            functools.partial(pi_cuda.pi_cuda, rng=states, threads=256),
            10**9),
        "Numba CUDA, limit": (pi_cuda_limit.pi_cuda_limit, many),
        "CUDA C, limit": (limit_trials.pi_device, many),
    }  # fmt: skip
    return _torch(shots) | _tensorflow(shots) | variants


def _torch(shots):
    if not devices.sees_cuda("torch"):
        return {}
    from onthefly.experiments.gpu import torch_trials

    return {name: (way, shots) for name, way in torch_trials.on_gpu().items()}


def _tensorflow(shots):
    if not devices.sees_cuda("tensorflow"):
        return {}
    from onthefly.kernels.pi import pi_tensorflow, pi_tensorflow_device

    way = pi_tensorflow_device.on_device(
        "/GPU:0", pi_tensorflow.pi_tensorflow_xla
    )
    return {"TensorFlow, XLA": (way, shots)}
