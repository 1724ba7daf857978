"""Like with like on one core: what the fast loops gain, and over what.

Each way is a function of the number of shots that returns π, on one thread.
"""

import ctypes
import functools
from pathlib import Path

import numba

from onthefly.experiments.speed.one_core import made
from onthefly.kernels.pi import pi_limit, pi_numba, pi_vectors
from onthefly.tools import cpp

SOURCE = Path(__file__).with_name("xoroshiro.c")


@functools.cache
def hits_xoroshiro():
    """Return the kernel of vectors in C: a function of (shots, key).

    Raises libraries.Missing without a C compiler.
    """
    return cpp.function(
        SOURCE,
        "hits_xoroshiro",
        [ctypes.c_uint64, ctypes.c_uint32],
        ctypes.c_uint64,
    )


def _forced(shots):
    """Return π by the documented loop, all of whose calls are inlined."""
    return 4.0 * _forced_hits()(shots) / shots


@functools.cache
def _forced_hits():
    hits = pi_numba.hits_numba.py_func
    return numba.njit(forceinline=True)(hits)


def ways(key, twins):
    """Return {name: function of the shots}.

    key    of the streams, 32 bits
    twins  the library of pi_limit_c
    """
    return {
        "documented": pi_numba.pi_numba,
        "documented, forceinline": _forced,
        "hash": made(pi_limit.hits_int, key),
        "hash, C": made(twins.hits_int, key),
        "hash, C by hand": made(twins.hits_int_simd, key),
        "xoroshiro128+": made(pi_vectors.hits_vectors, key),
        "xoroshiro128+, C by hand": made(
            lambda shots, key: hits_xoroshiro()(shots, key), key
        ),
    }


def same_hits(key, sizes):
    """Tell whether C counts the hits that the vectors count.

    key    of the streams, 32 bits
    sizes  numbers of shots
    """
    return all(
        pi_vectors.hits_vectors(n, key) == hits_xoroshiro()(n, key)
        for n in sizes
    )
