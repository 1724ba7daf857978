"""Random numbers drawn by several threads: who shares a generator, and how.

A way is a function (seed, threads) that returns draw(thread, size), to be
called by so many threads at once; it returns an array of numbers from 0 to 1
with 53 random bits.  Here are the processor's ways, in draws_cupy a GPU's.

Source of the question: Okuda, PyCon JP 2018, slide 43.
"""

import math
import threading
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from onthefly.kernels import check_shots, split

BITS = 53  # of a number


@numba.njit(nogil=True)
def fill(out, rng):
    """Fill an array from a NumPy Generator, without GIL and without lock."""
    for k in range(out.size):
        out[k] = rng.random()


def numpy_shared(seed, threads):
    """One generator of NumPy; it locks."""
    rng = np.random.default_rng(seed)
    return lambda _, size: rng.random(size)


def numba_shared(seed, threads):
    """One generator of NumPy in compiled code, which does not lock."""
    rng = np.random.default_rng(seed)

    def draw(_, size):
        out = np.empty(size)
        fill(out, rng)
        return out

    return draw


def numba_locked(seed, threads):
    """The same, and the caller locks."""
    rng = np.random.default_rng(seed)

    def draw(_, size):
        out = np.empty(size)
        with rng.bit_generator.lock:
            fill(out, rng)
        return out

    return draw


def same_seed(seed, threads):
    """A generator each, all from one seed."""
    return from_seeds([seed] * threads)


def spawned(seed, threads):
    """A generator each, from children of one seed."""
    return from_seeds(np.random.SeedSequence(seed).spawn(threads))


def from_seeds(seeds):
    """Return draw(thread, size) of one NumPy generator a seed."""
    each = [np.random.default_rng(s) for s in seeds]
    return lambda thread, size: each[thread].random(size)


SHARED = {  # one generator for all threads
    "NumPy, shared": numpy_shared,
    "Numba, shared": numba_shared,
    "Numba, shared, locked": numba_locked,
}
EACH = {"one seed for all": same_seed, "spawned": spawned}


def in_threads(job, threads):
    """Return what job(thread) returns in each of so many threads at once."""
    start = threading.Barrier(threads)

    def run(thread):
        start.wait()
        return job(thread)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))


def drawn(draw, threads, size, calls=1, join=np.concatenate):
    """Draw in `threads` threads at once; return an array of each.

    size, calls  a thread draws `size` numbers `calls` times
    """

    def job(thread):
        return join([draw(thread, size) for _ in range(calls)])

    return in_threads(job, threads)


def repeats(arrays, xp=np):
    """Return how many of the numbers were drawn before.

    arrays  what `drawn` returned
    xp      their module, NumPy or CuPy
    """
    drawn_all = xp.concatenate(arrays)
    return int(drawn_all.size - xp.unique(drawn_all).size)


def by_chance(numbers, bits=BITS):
    """Return how many of so many numbers are repeats by chance, about."""
    return math.comb(numbers, 2) / 2**bits


def dealt(arrays, alone):
    """Tell whether the arrays hold the numbers of `alone`, in any order."""
    every = np.sort(np.concatenate(arrays))
    return bool(np.array_equal(every, np.sort(alone)))


def same_distribution(arrays):
    """Return the p of the hypothesis that all draw from one distribution.

    Chi-square of a table of 64 classes by threads.  Numbers that are the same
    in each thread have p = 1: it looks for a difference.
    """
    from scipy.stats import chi2_contingency

    counts = [np.histogram(a, 64, (0, 1))[0] for a in map(np.asarray, arrays)]
    if np.ptp(counts, axis=0).max() == 0:
        return 1.0
    return float(chi2_contingency(counts).pvalue)


def pi_threads(draw, shots, threads):
    """Return π from `shots` points, shared by so many threads.

    draw  as a way makes it
    """
    parts = split(check_shots(shots), threads)

    def job(thread):
        x, y = draw(thread, parts[thread]), draw(thread, parts[thread])
        return int(np.count_nonzero(x * x + y * y <= 1.0))

    return 4.0 * sum(in_threads(job, threads)) / shots


def estimates(draw, shots, threads, trials):
    """Return so many estimates of π, as `pi_threads` makes one."""
    return [pi_threads(draw, shots, threads) for _ in range(trials)]
