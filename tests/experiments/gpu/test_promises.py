"""Looks at what a queue of one thread will have made."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from onthefly.experiments.gpu import promises

WORK = 0.2  # seconds


@pytest.fixture
def queued():
    """Return a call that hands its work to a queue, and returns at once."""
    with ThreadPoolExecutor(1) as pool:
        yield lambda seconds: pool.submit(time.sleep, seconds)


def result(promise):
    """Wait for a promise."""
    return promise.result()


def test_one_clock_sees_the_call_and_one_the_work(queued):
    seconds = promises.clocks(queued, result)(WORK)
    assert seconds["until it returns"] < WORK <= seconds["until it is done"]


def test_a_look_waits_where_it_needs_the_result(queued):
    look = promises.until(queued, lambda promise: None, result)
    wait = promises.until(queued, result, result)
    start = time.perf_counter()
    assert look(WORK) < WORK <= wait(WORK)
    # A look that does not wait leaves nothing queued either.
    assert time.perf_counter() - start >= 2 * WORK


def test_the_first_look_pays_unless_there_was_a_pause(queued):
    seconds = promises.put_off(queued, look=result)(WORK)
    assert seconds["the second look"] < seconds["the first look"]
    seconds = promises.put_off(queued, 2 * WORK, result)(WORK)
    assert seconds["the first look"] < WORK
