"""Additions of small arrays by threads, under a build without the GIL."""

import time
from threading import Barrier, Thread

import numpy as np

IN_TURN, TOGETHER = "in turn", "two threads"
THREADS = 2


def _add(numbers, times):
    result = np.empty_like(numbers)
    for _ in range(times):
        np.add(numbers, numbers, out=result)


def seconds(way, size, times):
    """Return the seconds of a call, of all calls of all threads.

    way    IN_TURN, or TOGETHER in a thread for each array
    size   numbers of each array, float64
    times  calls with each array
    """
    arrays = [np.arange(float(size)) for _ in range(THREADS)]
    if way == IN_TURN:
        start = time.perf_counter()
        for numbers in arrays:
            _add(numbers, times)
        return (time.perf_counter() - start) / (THREADS * times)
    return _together(arrays, times) / (THREADS * times)


def _together(arrays, times):
    gate = Barrier(THREADS + 1)

    def work(numbers):
        gate.wait()
        _add(numbers, times)

    workers = [Thread(target=work, args=[numbers]) for numbers in arrays]
    for worker in workers:
        worker.start()
    start = time.perf_counter()
    gate.wait()
    for worker in workers:
        worker.join()
    return time.perf_counter() - start
