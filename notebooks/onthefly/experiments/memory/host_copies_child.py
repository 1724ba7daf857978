"""Copies within the host: a program that makes arrays and times copies.

See host_copies, which asks it.
"""

import functools
import time

import numpy as np

PAGE = 4096
SAMPLE = 4e-4  # seconds that a sample lasts at least


def arrays(size, distance):
    """Return two arrays whose places in a page differ by `distance` bytes.

    Each has `size` bytes, and its pages are there.
    """
    return _at(PAGE // 2, size), _at(PAGE // 2 + distance, size)


def _at(start, size):
    """Return an array that begins so many bytes past a page's start."""
    room = np.ones(size + 2 * PAGE, np.uint8)
    skip = (start - room.ctypes.data) % PAGE
    return room[skip : skip + size]


@functools.cache
def _copier(size, distance):
    source, target = arrays(size, distance)
    return lambda: np.copyto(target, source)


def seconds(size, distance):
    """Return the seconds of a copy, by calls that last `SAMPLE` together."""
    return _time(_copier(size, distance), _loops(size, distance))


@functools.cache
def _loops(size, distance):
    """Return how many calls make a sample of a copy."""
    return 1 + int(SAMPLE / _time(_copier(size, distance), 2))


def _time(call, loops):
    start = time.perf_counter()
    for _ in range(loops):
        call()
    return (time.perf_counter() - start) / loops


def neighbours(sizes):
    """Return {size: how far apart in a page two new arrays lie}."""
    distances = {}
    for size in sizes:
        a, b = np.empty(size, np.uint8), np.empty(size, np.uint8)
        distances[size] = (b.ctypes.data - a.ctypes.data) % PAGE
    return distances
