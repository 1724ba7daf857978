"""The processor's cipher as a generator of points: in Numba, and in C.

Each way is a function of the number of shots that returns π, on one thread.
"""

import ctypes
import functools
from pathlib import Path

from onthefly.experiments.speed import aes
from onthefly.experiments.speed.one_core import made
from onthefly.tools import cpp

SOURCE = Path(__file__).with_name("aes.c")


@functools.cache
def in_c():
    """Return the kernel in C: a function of (shots, key).

    Raises libraries.Missing without a C compiler, or without AES.
    """
    aes.check()
    return cpp.function(
        SOURCE,
        "hits_aes",
        [ctypes.c_uint64, ctypes.c_uint32],
        ctypes.c_uint64,
    )


@functools.cache
def words():
    """Return words(address, blocks, key, rounds), which writes the shots.

    Raises what `in_c` raises.
    """
    aes.check()
    arguments = [
        ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_int,
    ]  # fmt: skip
    return cpp.function(SOURCE, "words_aes", arguments)


def ways(key):
    """Return {name: function of the shots}.

    key  of the streams, 32 bits
    """
    return {
        "AES": made(aes.kernel(), key),
        "AES, C by hand": made(in_c(), key),
    }


def same_hits(key, sizes):
    """Tell whether C counts the hits that the blocks of AES count.

    key    of the streams, 32 bits
    sizes  numbers of shots
    """
    return all(aes.kernel()(n, key) == in_c()(n, key) for n in sizes)
