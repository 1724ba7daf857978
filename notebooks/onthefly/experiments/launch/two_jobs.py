"""The same job, done twice: in series, in two threads, in two processes.

Source: Okuda, PyCon JP 2018, slide 7.
"""

import functools
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

FORK = get_context("fork")  # its children know what a notebook has defined


def in_series(work, size):
    """Return [work(size)] twice, done one after the other."""
    return [work(size), work(size)]


def in_threads(work, size):
    """Return [work(size)] twice, done by a new pool of two threads."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, [size, size]))


def in_processes(work, size):
    """Return [work(size)] twice, done by a new pool of two processes."""
    with ProcessPoolExecutor(2, FORK) as pool:
        return list(pool.map(work, [size, size]))


def ways(work):
    """Return {name: function of a size}: the three ways to do `work` twice.

    work  function of a size; two processes send back what it returns
    """
    launches = {
        "series": in_series,
        "threads": in_threads,
        "processes": in_processes,
    }
    return {k: functools.partial(way, work) for k, way in launches.items()}
