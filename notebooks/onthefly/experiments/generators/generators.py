"""The generators of the C library, one of ours, and threads that draw.

``Generator("rand_r", seed=1).hits(10**5)`` counts in C; ctypes lets go of the
GIL meanwhile.  ``throw("rand")`` is a sampler: threads that share the shots,
by the clock, with what was counted of their waiting.  Source: Okuda, PyCon JP
2018, slide 17.
"""

import ctypes
import functools
import pathlib
import platform
import weakref

import numpy as np

from onthefly.kernels import split
from onthefly.measure import clock, machine
from onthefly.measure.samples import Reading
from onthefly.tools import cpp, threads

SOURCE = pathlib.Path(__file__).with_name("generators.c")
NAMES = ("rand", "random_r", "rand_r", "drand48", "erand48", "xoshiro")
SHOTS = 10**6  # of a sample: long enough for the threads to run at once


def missing():
    """Say in a few words what is not here, a compiler or glibc, or ""."""
    glibc = platform.libc_ver()[0] == "glibc"  # it alone has random_r
    return cpp.missing("C") or ("" if glibc else "no glibc")


@functools.cache
def _library():
    """Compile and load generators.c; libraries.Missing where nothing can."""
    if lack := missing():
        raise cpp.lacking(lack)
    with cpp.built(SOURCE, ["-O2"]) as path:
        library = ctypes.CDLL(path)
    pointer, long = ctypes.c_void_p, ctypes.c_longlong
    library.new_seat.restype = pointer
    library.new_seat.argtypes = (
        ctypes.c_uint64,
        ctypes.c_int,
        pointer,
        pointer,
    )
    library.counted.argtypes = pointer, pointer
    for name in (*NAMES, "locked"):
        hits = getattr(library, f"hits_{name}")
        hits.restype, hits.argtypes = long, (pointer, long)
        getattr(library, f"fill_{name}").argtypes = pointer, pointer, long
    return library


class Generator:
    """One of NAMES, or "locked": random_r guarded by a lock of ours.

    seed   of all its states; those of `rand` and `drand48`, which the
           process has once, begin anew with each Generator
    place  of the state of random_r in an array of states; by default it lies
           far from all others
    state  Generator whose state of random_r this one draws from, too
    lock   Generator whose lock this one takes, too

    Raises ValueError for an unknown name, libraries.Missing without a C
    compiler or glibc.
    """

    def __init__(self, name, seed=1, *, place=-1, state=None, lock=None):
        if name not in (*NAMES, "locked"):
            raise ValueError(f"no generator {name!r}; there are: {NAMES}")
        c = _library()
        self._others = state, lock  # they live as long as this one
        seats = [other and other._seat for other in self._others]
        self._seat = c.new_seat(seed, place, *seats)
        weakref.finalize(self, ctypes.CDLL(None).free, _pointer(self._seat))
        self._hits = getattr(c, f"hits_{name}")
        self._fill = getattr(c, f"fill_{name}")

    def hits(self, shots):
        """Return the hits among the next shots."""
        return self._hits(self._seat, shots)

    def numbers(self, count):
        """Return the next numbers, an array of int32 from 0 to 2**31 - 1."""
        drawn = np.empty(count, np.int32)
        self._fill(self._seat, drawn.ctypes.data, count)
        return drawn

    def counted(self):
        """Return how often the lock was found taken, and what it asked for.

        A dict of "lock taken", and of "calls of the kernel": to let this
        thread wait, or to wake another.
        """
        counters = (ctypes.c_longlong * 3)()
        _library().counted(self._seat, counters)
        taken, waits, wakes = counters
        return {"lock taken": taken, "calls of the kernel": waits + wakes}


def _pointer(address):
    return ctypes.c_void_p(address)


def throw(name, *, state="own", lock="own", shots=SHOTS):
    """Return a sampler: function of a number of threads -> Reading.

    name   of a Generator
    state  of random_r: each thread's "own", its own but "packed" side by side
           in memory, or "one" for all
    lock   each thread's "own", or "one" for all
    shots  that the threads share

    It counts, in all threads together, what `Generator.counted` does and the
    "sleeps", of which the system keeps count; and as "kernel" the share of
    processor time that the kernel took.
    """

    def sample(threads):
        seats = _seats(name, threads, state, lock)
        jobs = seats, split(shots, threads)
        _pool(threads)
        with machine.waiting() as waited:
            seconds = clock.seconds(_at_once, threads, *jobs)
        counts = [seat.counted() for seat in seats]
        total = {k: sum(c[k] for c in counts) for k in counts[0]}
        return Reading(seconds, total | waited)

    return sample


def _seats(name, threads, state, lock):
    """Return a Generator for each thread."""
    first = Generator(name, 1, place=0 if state == "packed" else -1)
    return [first] + [
        Generator(
            name,
            1 + k,
            place=k if state == "packed" else -1,
            state=first if state == "one" else None,
            lock=first if lock == "one" else None,
        )
        for k in range(1, threads)
    ]


_pool = functools.cache(functools.partial(threads.pool, tied=True))


def _at_once(threads, seats, sizes):
    """Let each thread throw its share."""
    list(_pool(threads).map(Generator.hits, seats, sizes))


def repeated(state="own", count=10**5):
    """Return how many numbers two threads both drew from random_r.

    state  as in `throw`; nothing guards it
    count  numbers of each thread

    What chance makes is below count**2 / 2**31.
    """
    draw = functools.partial(Generator.numbers, count=count)
    one, two = _pool(2).map(draw, _seats("random_r", 2, state, "own"))
    return int(np.isin(one, two).sum())
