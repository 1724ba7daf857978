"""Random numbers drawn in two threads, from one generator or from two."""

import functools
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

NUMBERS = 400_000  # that each thread draws

pool = ThreadPoolExecutor(2)


def draw(rng, size):
    """Draw many numbers, `size` in each call, into one array."""
    numbers = np.empty(size)
    for _ in range(NUMBERS // size):
        rng.random(out=numbers)


def in_series(draw, rngs, size):
    """Let this thread draw from one generator after the other."""
    for rng in rngs:
        draw(rng, size)


def in_threads(draw, rngs, size):
    """Let a thread draw from each generator."""
    list(pool.map(draw, rngs, [size] * len(rngs)))


def ways(generators, draw=draw):
    """Return candidates for `clock.measure`, functions of a size.

    generators  {name: [one for each of two threads]}
    draw        function of a generator and a size

    Each name has two: in series, and in threads.
    """
    return {
        f"{name}, {way.__name__}": functools.partial(way, draw, rngs)
        for name, rngs in generators.items()
        for way in (in_series, in_threads)
    }


def gains(times):
    """Return {name: {size: how many times as fast threads are}}.

    times  Timings of `ways`
    """
    names = dict.fromkeys(name.rpartition(", ")[0] for name in times.names)
    return {
        name: {
            size: times.ratio(
                f"{name}, in_series", f"{name}, in_threads", size
            )
            for size in times.sizes(f"{name}, in_series")
        }
        for name in names
    }


def waits_for(lock, draw):
    """Tell whether draw(1) in another thread waits while a lock is held.

    lock  of a bit generator, as ``rng.bit_generator.lock``
    """
    with lock:
        drawn = pool.submit(draw, 1)
        done, _ = wait([drawn], timeout=1)  # far more than a draw takes
    return not done
