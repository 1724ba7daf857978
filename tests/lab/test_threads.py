"""Objects of a thread's own, and calls made at once."""

import os
import threading

import pytest

from onthefly.tools.threads import own, pool, together


def test_each_thread_has_its_own():
    made = together(lambda: id(own(dict, ())), 1)
    first, again = made()[0], made()[0]
    assert first == again != id(own(dict, ()))


@pytest.mark.parametrize("threads", [1, 2, 4 * (os.cpu_count() or 1)])
def test_calls_are_made_at_once(threads):
    gate = threading.Barrier(threads)
    places = together(lambda: gate.wait(5), threads)()
    assert sorted(places) == list(range(threads))


@pytest.mark.parametrize("tied", [False, True])
def test_the_threads_of_a_pool_have_started(tied):
    with pool(3, tied) as workers:
        assert len(workers._threads) == 3
        kept = list(workers.map(_cores, range(3)))
        assert all(len(each) == 1 for each in kept) == (
            tied or os.cpu_count() == 1
        )


def _cores(_):
    return os.sched_getaffinity(0)
