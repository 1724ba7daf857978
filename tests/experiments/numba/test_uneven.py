"""Uneven work, shared in several ways."""

import threading

import numpy as np

from onthefly.experiments.numba import uneven
from onthefly.kernels import z_score


def test_all_ways_do_all_of_an_uneven_loop():
    cost = np.arange(100)
    total = int(cost.sum())

    def dealt(cost, who):
        return uneven.dealt(cost, who, 3)

    def spans(cost, who):
        return sum(
            uneven.hits_span(cost, who, low, low + 50) for low in (0, 50)
        )

    for function in (uneven.stretches, dealt, spans):
        who = np.zeros(100, np.uintp)
        assert z_score(4 * function(cost, who) / total, total) < 5
        assert who.all()
    assert set(who.tolist()) == {threading.get_ident()}


def test_the_largest_share_is_counted():
    def halves(cost, who):
        who[:2], who[2:] = 1, 2

    assert uneven.largest_share(halves, np.array([1, 1, 3, 3])) == 0.75
