"""Which way is said to be the fastest, and at which size."""

from onthefly.experiments.choice import reasons
from onthefly.measure.samples import Samples, Series
from onthefly.measure.timings import Timings


def timings(seconds):
    """Return the Timings of {(name, size): seconds}, with a small spread."""
    series = [
        Series(name, size, None, tuple(s * (1 + k / 1000) for k in range(9)))
        for (name, size), s in seconds.items()
    ]
    return Timings.of(Samples(series, 2))


def test_who_alone_reached_a_size_has_not_won_there():
    words = timings({("C", 10): 2e-6, ("Python", 10): 1e-6, ("C", 1000): 1.0})
    dot = timings({("C", 1000): 2e-6, ("Numba", 1000): 1e-6})
    assert reasons.fastest(words, 1000) == ("Python", 10)
    assert reasons.fastest(dot, 1000) == ("Numba", 1000)
