"""Numba's cache, for a process of another processor."""

from onthefly.experiments.numba import cached_elsewhere


def test_only_the_same_processor_takes_what_is_kept():
    assert cached_elsewhere.elsewhere() == {
        "the first one": True,
        "a second one": False,
        "one for another processor": True,
    }
