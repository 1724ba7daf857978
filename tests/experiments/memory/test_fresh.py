"""Calls in a fresh process, timed, traced and stepped through."""

import os
import platform

import numpy as np
import pytest

from onthefly.experiments.memory.fresh import fresh
from onthefly.tools import processes

glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="settings of glibc"
)
PAGES = 4 * 8 * 100_000 // 4096


@pytest.fixture(scope="module")
def four():
    """Return a call that makes four arrays and drops them."""

    def call(size):
        return len([np.ones(size) for _ in range(4)])

    return call  # of no module that the process could import


@glibc
def test_memory_that_is_given_back_faults_at_each_call(four):
    few, many = (fresh(four)(n) for n in (1000, 100_000))
    assert few.counts["page faults"] < 5
    assert 0.8 < many.counts["page faults"] / PAGES < 1.2
    assert 0 < few.seconds < many.seconds


@glibc
def test_what_was_called_before_and_the_variables_decide(four):
    def before(length):
        np.empty(length)

    kept = [
        fresh(four).after(before, 4_000_000)(100_000),
        fresh(four, MALLOC_TOP_PAD_=2**28)(100_000),
    ]
    assert max(reading.counts["page faults"] for reading in kept) < 5


def test_each_answer_comes_from_a_process_of_its_own():
    def look(*_):
        raise RuntimeError(str(os.getpid()))

    with pytest.raises(processes.Failed) as one:
        fresh(look)(1)
    with pytest.raises(processes.Failed) as other:
        fresh(look)(1)
    assert str(one.value) != str(other.value)
    assert str(os.getpid()) not in str(one.value)


def test_what_fails_there_fails_here_and_the_next_one_is_answered(four):
    def fails(size):
        return 1 / (size - size)

    def ends(size):
        os._exit(3)

    for ask in (fresh(fails), fresh(fails).traced, fresh(fails).stepped):
        with pytest.raises(processes.Failed, match="ZeroDivisionError"):
            ask(3)
    with pytest.raises(processes.Failed, match="ended"):
        fresh(ends)(3)
    assert fresh(four)(10).seconds > 0


@glibc
def test_the_end_of_the_heap_moves_where_it_is_given_back(four):
    free, kept = (
        fresh(four, **options).traced(100_000)
        for options in ({}, {"MALLOC_TOP_PAD_": 2**28})
    )
    if set(free) == {"page faults"}:
        pytest.skip("one process may not watch another here")
    assert free["brk"] >= 2 and free["page faults"] > 0.8 * PAGES
    assert kept["page faults"] < 5 and "brk" not in kept
