"""π by compiled code on many cores: `prange`, its threads, seeded blocks.
Source: Okuda, PyCon JP 2018, slide 24."""

import contextlib
import ctypes
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from numba import njit, prange

from onthefly.kernels import check_shots, split
from onthefly.kernels.pi_numba import hits_numba

BLOCKS = 64  # of a seeded run, however many threads share them
stream = np.random.SeedSequence

_thread = ctypes.CDLL(None).pthread_self  # the number that Python gives, too
_thread.restype, _thread.argtypes = ctypes.c_size_t, []


@njit(parallel=True)
def hits_parallel(shots):
    """Count hits of `shots` points on all the threads that are allowed."""
    hits = 0
    for _ in prange(shots):
        x = random.random()
        y = random.random()
        if x * x + y * y <= 1.0:
            hits += 1
    return hits


@njit(parallel=True)
def hits_blocks(sizes, seeds):
    """Count hits of blocks of points, each with a seed of its own."""
    hits = 0
    for k in prange(len(sizes)):
        random.seed(seeds[k])
        hits += hits_numba(sizes[k])
    return hits


@njit(parallel=True)
def sum_parallel(x):
    """Add up an array of floats, in an order that the threads decide."""
    found = 0.0
    for i in prange(len(x)):
        found += x[i]
    return found


@njit(parallel=True)
def draw(found, who):
    """Fill an array with random numbers; write down who drew each."""
    for i in prange(len(found)):
        found[i] = random.random()
        who[i] = _thread()


@njit(parallel=True)
def stretches(cost, who):
    """Count hits in `cost[i]` shots for each i; write down who did it."""
    hits = 0
    for i in prange(len(cost)):
        hits += hits_numba(cost[i])
        who[i] = _thread()
    return hits


@njit(parallel=True)
def dealt(cost, who, hands):
    """Do the same, dealt out like cards to so many hands."""
    hits = 0
    for hand in prange(hands):
        for i in range(hand, len(cost), hands):
            hits += hits_numba(cost[i])
            who[i] = _thread()
    return hits


@njit(nogil=True)
def hits_span(cost, low, high):
    """Do a part of it on one core, without the GIL."""
    hits = 0
    for i in range(low, high):
        hits += hits_numba(cost[i])
    return hits


@njit(nogil=True)
def bump(cells, place, spot, steps):
    """Add 1 to one cell so many times, each time in memory.

    `place` holds 8 zeros, which the compiler does not know.
    """
    for i in range(steps):
        cells[place[i & 7] + spot] += 1


def tied_pool():
    """Return a pool of two threads, each tied to a core of its own.

    Where there is one core, or the system does not tie threads, they are
    free.
    """
    gate = threading.Barrier(2)
    cores = iter(getattr(os, "sched_getaffinity", lambda _: ())(0))

    def tie():
        core = next(cores, None)
        if core is not None:
            os.sched_setaffinity(0, {core})

    pool = ThreadPoolExecutor(2, initializer=tie)
    list(pool.map(lambda _: gate.wait(), range(2)))
    return pool


@njit(parallel=True)
def sign(who):
    """Write into each element the number of the thread that came by."""
    for i in prange(len(who)):
        who[i] = _thread()


@contextlib.contextmanager
def limited(threads):
    """Let parallel code use so many threads, then as many as before.

    More than Numba has started (NUMBA_NUM_THREADS) are as many as it has.
    Raises ValueError below 1.
    """
    before = numba.get_num_threads()
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    try:
        yield
    finally:
        numba.set_num_threads(before)


def workers(threads, count=1000):
    """Return the numbers of the threads that shared `count` iterations.

    They are those of ``threading.get_ident``.
    """
    who = np.zeros(count, np.uintp)
    with limited(threads):
        sign(who)
    return set(who.tolist())


def pi_numba_parallel(shots, rng=None, threads=None):
    """Return π estimated from `shots` points by a parallel loop.

    rng      ignored: each thread has a stream that nobody seeded
    threads  how many may work; by default as Numba is set
    """
    shots = check_shots(shots)
    with limited(threads or numba.get_num_threads()):
        return 4.0 * hits_parallel(shots) / shots


def pi_numba_blocks(shots, rng=None, threads=None):
    """Return π estimated from `shots` points in seeded blocks.

    rng      a SeedSequence (see `stream`); by default a fresh one
    threads  as above; the estimate does not depend on it
    """
    shots = check_shots(shots)
    sizes = np.array(split(shots, BLOCKS))
    seeds = (rng or stream()).generate_state(BLOCKS)
    with limited(threads or numba.get_num_threads()):
        return 4.0 * hits_blocks(sizes, seeds) / shots


CHILD = """\
import json, os, threading, timeit
import numba
from onthefly.kernels import pi_numba_parallel as par

def say(**found):
    print(json.dumps(found), flush=True)

threads = par.workers(numba.config.NUMBA_NUM_THREADS)
say(threads=len(threads), caller=threading.get_ident() in threads)
par.hits_parallel(1)
with par.limited(2):
    calls = timeit.repeat(lambda: par.hits_parallel(1), number=20, repeat=7)
say(entry=sorted(calls)[3] / 20)
child = os.fork()
if not child:
    par.hits_parallel(1)
    os._exit(0)
say(fork=os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
many = lambda: [par.hits_parallel(10_000) for _ in range(100)]
callers = [threading.Thread(target=many) for _ in range(2)]
[caller.start() for caller in callers]
[caller.join() for caller in callers]
say(twice=0)
"""


def _quiet():
    """Let a child that aborts leave no memory dump."""
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def layer(name, threads, timeout=60):
    """Try a threading layer in a child process; return what it said.

    name     "tbb", "omp" or "workqueue"
    threads  how many Numba starts (NUMBA_NUM_THREADS)
    timeout  seconds

    A dict: threads (that worked), caller (whether the calling thread was
    among them), entry (seconds of a parallel call for one shot, with two
    threads), fork and twice: the exit status of parallel code in a forked
    child, and from two Python threads at once (negative: the signal that
    ended it; 124: no end within the timeout).  What it did not reach is
    missing; all is where the layer does not load.
    """
    env = os.environ | {
        "NUMBA_THREADING_LAYER": name,
        "NUMBA_NUM_THREADS": str(threads),
        "PYTHONPATH": str(pathlib.Path(__file__).parents[2]),
    }
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD], env=env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=_quiet,
    )  # fmt: skip
    try:
        out, _ = child.communicate(timeout=timeout)
        status = child.returncode
    except subprocess.TimeoutExpired:
        child.kill()
        out, _ = child.communicate()
        status = 124
    found = {}
    for line in out.splitlines():
        found |= json.loads(line)
    if status and "entry" in found:
        found["twice" if "fork" in found else "fork"] = status
    return found


def outcome(status):
    """Say in words what an exit status of `layer` means."""
    if status is None:
        return "not tried"
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    return {0: "works", 124: "hangs"}.get(status, f"fails ({status})")
