"""Pools for the ways that share their work among threads or processes.

A pool of so many workers is started by the first call that asks for it, and
ends with the program.
"""

import functools
import itertools
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from onthefly.measure import machine


@functools.cache
def threads(workers):
    """Return the ThreadPoolExecutor of so many workers."""
    return ThreadPoolExecutor(workers)


@functools.cache
def processes(workers):
    """Return the ProcessPoolExecutor of so many workers.

    Its processes are forked from one that loaded nothing: a fork of a program
    whose libraries run threads may hang.
    """
    context = multiprocessing.get_context("forkserver")
    return ProcessPoolExecutor(workers, mp_context=context)


def parts(data, workers):
    """Return the slices of a list, an array or a text for so many workers.

    They are of nearly equal length, at most one for each item.
    """
    count = max(1, min(workers, len(data)))
    ends = [len(data) * k // count for k in range(count + 1)]
    return [data[a:b] for a, b in itertools.pairwise(ends)]


_cores = functools.cache(machine.usable_cores)  # reads files: asked once


def usable(workers):
    """Return how many workers to take: as asked, or one for each core."""
    return workers or _cores()
