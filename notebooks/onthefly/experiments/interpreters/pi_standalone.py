"""π by a loop of the interpreter: in turn, threads, processes and others.

Stand-alone: runs under any Python from 3.6, with nothing installed.  Source:
Okuda, PyCon JP 2018, slides 7, 8 and 13.
"""

import os
import random
import sys
import time
from multiprocessing import get_context
from threading import Thread


def hits(shots, seed):
    """Return how many of so many points fall into the quarter circle."""
    draw = random.Random(seed).random
    inside = 0
    for _ in range(shots):
        x, y = draw(), draw()
        if x * x + y * y <= 1.0:
            inside += 1
    return inside


def in_turn(shots, workers):
    """Return the hits of each worker: one after the other."""
    return [hits(shots, seed) for seed in range(workers)]


def threads(shots, workers):
    """Return the hits of each worker: a thread each."""
    found = [0] * workers

    def work(seed):
        found[seed] = hits(shots, seed)

    _run([Thread(target=work, args=(seed,)) for seed in range(workers)])
    return found


def shared_stream(shots, workers):
    """Return the hits of each worker: threads that draw from one stream."""
    found, draw = [0] * workers, random.Random(0).random

    def work(seed):
        inside = 0
        for _ in range(shots):
            x, y = draw(), draw()
            if x * x + y * y <= 1.0:
                inside += 1
        found[seed] = inside

    _run([Thread(target=work, args=(seed,)) for seed in range(workers)])
    return found


def processes(shots, workers):
    """Return the hits of each worker: a new process each, by fork."""
    with get_context("fork").Pool(workers) as pool:
        return pool.starmap(hits, [(shots, seed) for seed in range(workers)])


# What a sub-interpreter runs: it shares no function with us.
CODE = """
import os, sys
sys.path[:] = %r
from onthefly.experiments.interpreters.pi_standalone import hits
os.write(%d, b"%%d %%d\\n" %% (%d, hits(%d, %d)))
"""


def subinterpreters(shots, workers):
    """Return the hits of each worker: a new interpreter each, in a thread."""
    create, run, destroy = _interpreters()
    end, start = os.pipe()

    def work(seed):
        one = create()
        run(one, CODE % (sys.path, start, seed, shots, seed))
        destroy(one)

    _run([Thread(target=work, args=(seed,)) for seed in range(workers)])
    os.close(start)
    with os.fdopen(end) as lines:
        found = dict(map(int, line.split()) for line in lines)
    return [found[seed] for seed in range(workers)]


def interpreter_pool(shots, workers):
    """Return the hits of each worker: by the pool of Python 3.14."""
    from concurrent.futures import InterpreterPoolExecutor

    with InterpreterPoolExecutor(workers) as pool:
        return list(pool.map(hits, [shots] * workers, range(workers)))


def _interpreters():
    """Return (create, run, destroy) of this Python.

    Since 3.12 each sub-interpreter may have a GIL of its own (PEP 684); the
    modules below are private until 3.14 (PEP 734).
    """
    if sys.version_info >= (3, 14):
        from concurrent import interpreters as public

        return (
            public.create,
            lambda one, code: one.exec(code),
            lambda one: one.close(),
        )
    import _interpreters as private

    return private.create, private.exec, private.destroy


def _run(workers):
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


WAYS = {
    "in turn": in_turn,
    "threads": threads,
    "threads, one stream": shared_stream,
    "processes": processes,
}
if sys.version_info >= (3, 13):
    WAYS["sub-interpreters"] = subinterpreters
if sys.version_info >= (3, 14):
    WAYS["interpreter pool"] = interpreter_pool


def ways():
    """Return the names of the ways that this Python has."""
    return list(WAYS)


def counted(way, shots, workers):
    """Return the hits of each worker, by a way."""
    return WAYS[way](shots, workers)


def seconds(way, shots, workers):
    """Return the seconds that all workers take, by a way."""
    start = time.perf_counter()
    WAYS[way](shots, workers)
    return time.perf_counter() - start
