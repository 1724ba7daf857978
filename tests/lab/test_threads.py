"""Objects of a thread's own, and calls made at once."""

import os
import threading

import pytest

from onthefly.tools.threads import own, together


def test_each_thread_has_its_own():
    made = together(lambda: id(own(dict, ())), 1)
    first, again = made()[0], made()[0]
    assert first == again != id(own(dict, ()))


@pytest.mark.parametrize("threads", [1, 2, 4 * (os.cpu_count() or 1)])
def test_calls_are_made_at_once(threads):
    gate = threading.Barrier(threads)
    places = together(lambda: gate.wait(5), threads)()
    assert sorted(places) == list(range(threads))


def test_an_error_in_a_thread_is_raised():
    with pytest.raises(ZeroDivisionError):
        together(lambda: 1 / 0, 2)()
