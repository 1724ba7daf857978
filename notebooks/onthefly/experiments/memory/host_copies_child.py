"""Copies within the host: a program that makes arrays and times copies.

It has imported little, so that its memory is as good as new; see
host_copies, which asks it.
"""

import functools
import resource
import time

import numpy as np

PAGE = 4096
SAMPLE = 4e-4  # seconds that a sample lasts at least

_calls = {}


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


def _copier(size, distance):
    source, target = arrays(size, distance)
    return lambda: np.copyto(target, source)


def fresh_and_used(sizes):
    """Make the copies of `host_copies.sweep`; return {copy: page faults}.

    A copy is named by (way, size).
    """
    for size in sizes:
        _calls["fresh", size] = _at(0, size).copy
        _calls["used", size] = _copier(size, 256)
    return {name: _faults(call) for name, call in _calls.items()}


def shifted(size, distances):
    """Make the copies of `host_copies.shifted`, named by the distance."""
    _calls.update((d, _copier(size, d)) for d in distances)


def _faults(call):
    """Return the page faults of a call, once the allocator has learnt."""
    _time(call, 2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    call()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def seconds(name):
    """Return the seconds of one of the copies made."""
    return _time(_calls[name], _loops(name))


@functools.cache
def _loops(name):
    """Return how many calls make a sample of one of the copies."""
    return 1 + int(SAMPLE / _time(_calls[name], 2))


def _time(call, loops):
    start = time.perf_counter()
    for _ in range(loops):
        call()
    return (time.perf_counter() - start) / loops


def neighbours(sizes):
    """Return {size: how far apart in a page two new arrays lie}."""
    found = {}
    for size in sizes:
        a, b = np.empty(size, np.uint8), np.empty(size, np.uint8)
        found[size] = (b.ctypes.data - a.ctypes.data) % PAGE
    return found
