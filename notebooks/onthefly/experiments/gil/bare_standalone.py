"""Two threads and a bare ``+=``, at each place that both can reach.

Stand-alone: runs under any Python from 3.6, with nothing installed.  Source:
Okuda, PyCon JP 2018, slides 9 and 10.
"""

from threading import Thread

from onthefly.experiments.gil.places import PLACES

SHARED = ("global", "attribute", "item", "closure")


def race(place, steps):
    """Add 1 in one thread, subtract it in another; return what is left.

    place  of the counter, one of PLACES
    steps  of each thread; zero is right
    """
    update, end = PLACES[place]()
    threads = [Thread(target=update, args=(steps, s)) for s in (1, -1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return end()


def raced(place, steps, runs):
    """Race so often; return what each run left, a list."""
    return [race(place, steps) for _ in range(runs)]
