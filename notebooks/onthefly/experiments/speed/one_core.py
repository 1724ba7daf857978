"""The contest of one core: what a user would take, and loops made for it.

Each way is a function of the number of shots that returns π, on one thread.
"""

import functools

import numpy as np

from onthefly.experiments.speed.variants import Way
from onthefly.kernels.pi import pi_limit, pi_vectors
from onthefly.kernels.pi import pi_numba_streams as streams


def _numexpr():
    import numexpr

    numexpr.set_num_threads(1)


def _torch():
    from onthefly.tools.quiet_torch import torch

    torch.set_num_threads(1)


def _tensorflow():
    from onthefly.tools.quiet_tensorflow import tf

    tf.config.set_visible_devices([], "GPU")
    tf.config.threading.set_intra_op_parallelism_threads(1)


ONE_THREAD = {
    "pi_numexpr": _numexpr,
    "pi_torch": _torch,
    "pi_tensorflow": _tensorflow,
}  # {module of kernels/: what keeps its library to one thread}


class Alone(Way):
    """A Way that tells its library, at the first call, to use one thread."""

    @functools.cached_property
    def _pi(self):
        module, _ = self._place
        if module in ONE_THREAD:
            ONE_THREAD[module]()
        return super()._pi


LIBRARIES = {
    "Python": Alone("pi_python", "pi_python"),
    "NumPy, rand": Alone("pi_numpy", "pi_numpy_legacy"),
    "NumPy, out=": Alone("pi_numpy", "pi_numpy_buffers", chunk=10_000),
    "numexpr": Alone("pi_numexpr", "pi_numexpr"),
    "torch": Alone("pi_torch", "pi_torch"),
    "TensorFlow, XLA": Alone("pi_tensorflow", "pi_tensorflow_xla"),
    "Numba, documented": Alone("pi_numba", "pi_numba"),
}


def made(hits, key):
    """Return the estimate of π, a function of the shots, by a kernel.

    hits  function of (shots, key) that counts
    key   of its stream of random numbers
    """
    return lambda shots: 4.0 * int(hits(shots, key)) / shots


def kernels(key, twins):
    """Return {name: function of the shots}: kernels of Numba, and of C.

    key    of their streams, 32 bits
    twins  the library of pi_limit_c
    """
    hits = {f"Numba, {k}": made(f, key) for k, f in pi_limit.KINDS.items()}
    hits["Numba, vectors"] = made(pi_vectors.hits_vectors, key)
    hits["Numba, xoshiro"] = made(streams.hits_xoshiro, np.uint64(key))
    hits["C"] = made(twins.hits_int, key)
    hits["C vectors"] = made(twins.hits_int_simd, key)
    hits["C vectors, lanes"] = made(twins.hits_lanes_simd, key)
    return hits


def same_hits(twins, key, sizes):
    """Tell whether C counts the hits that Numba counts, at each size.

    twins  the library of pi_limit_c
    key    of the streams, 32 bits
    sizes  numbers of shots
    """
    return all(
        pi_limit.hits_int(n, key)
        == twins.hits_int(n, key)
        == twins.hits_int_simd(n, key)
        and pi_limit.hits_lanes(n, key) == twins.hits_lanes_simd(n, key)
        for n in sizes
    )
