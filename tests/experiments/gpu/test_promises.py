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
    found = promises.clocks(queued, result)(WORK)
    assert found["until it returns"] < WORK <= found["until it is done"]


def test_a_look_waits_where_it_needs_the_result(queued):
    look = promises.until(queued, lambda promise: None, result)
    wait = promises.until(queued, result, result)
    assert look(WORK) < WORK <= wait(WORK)


def test_a_look_that_does_not_wait_leaves_nothing_queued(queued):
    look = promises.until(queued, lambda promise: None, result)
    start = time.perf_counter()
    look(WORK)
    assert time.perf_counter() - start >= WORK


def test_the_first_look_pays(queued):
    found = promises.put_off(queued, look=result)(WORK)
    assert found["the second look"] < found["the first look"]


def test_after_a_pause_nothing_is_left_to_pay(queued):
    found = promises.put_off(queued, 2 * WORK, result)(WORK)
    assert found["the first look"] < WORK
