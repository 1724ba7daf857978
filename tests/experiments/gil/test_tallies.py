"""A histogram that threads share, and where loops store."""

import numpy as np
import pytest

from onthefly.experiments.gil import count_standalone, tallies


def test_bins_are_counted():
    bins = [0, 0, 5]
    tallies.tally(bins, [0, 2, 2])
    assert bins == [1, 0, 7]


@pytest.mark.parametrize("shared", [True, False])
def test_what_two_threads_miss_is_told(shared):
    which = np.array([0, 2, 2])
    assert tallies.missed(tallies.tally, which, shared) == 0
    assert tallies.missed(lambda bins, which: None, which, shared) == 6


def test_local_loops_store_elsewhere_than_shared_ones():
    stores = {
        name: tallies.adds_and_stores(loop)[1]
        for name, loop in count_standalone.LOOPS.items()
    }
    for name, store in stores.items():
        assert store == ("STORE_FAST" if "local" in name else "STORE_GLOBAL")
