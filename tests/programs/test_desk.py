"""The worked program of a service desk: all versions find the same."""

import importlib
from array import array

import pytest

from onthefly.measure import libraries
from onthefly.programs import desk

VERSIONS = [
    "python", "next", "slots", "classes", "tuples", "numba", "jitclass",
    "mypyc", "native", "pypy", "rust",
]  # fmt: skip


def expected(arrivals, services):
    """Return the result by no events at all: a customer after the other."""
    free, begins, waited = [0.0] * desk.SERVERS, [], 0.0
    for arrival, service in zip(arrivals, services, strict=True):
        if sum(begin > arrival for begin in begins[-50:]) < desk.ROOM:
            free.sort()
            begin = max(arrival, free[0])
            free[0] = begin + service
            begins.append(begin)
            waited += begin - arrival
    return waited / len(begins), len(begins)


def call(version, *arguments):
    name = f"desk_{version}"
    try:
        module = importlib.import_module(f"onthefly.programs.desk.{name}")
        return getattr(module, name)(*arguments)
    except ImportError as error:
        if what := libraries.lacking(error):
            pytest.skip(f"{what} is missing")
        raise


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_serves_the_same_customers(version):
    given = desk.data(5000)
    mean, served = expected(*given)
    assert served < 5000  # the queue is full at times
    assert call(version, *given) == (mean, served)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_desk_with_few_customers(version):
    given = array("d", [1.0, 2.0]), array("d", [5.0, 5.0])
    assert call(version, *given) == (0.0, 2)


def test_replications_are_the_same_by_each_way():
    pytest.importorskip("joblib")
    from onthefly.programs.desk import desk_replications as many
    from onthefly.programs.desk.desk_tuples import desk_tuples

    alone = [desk_tuples(*desk.data(500, seed))[0] for seed in range(4)]
    assert many.in_turn(4, 500) == alone
    assert many.in_processes(4, 500) == alone
    assert many.in_threads(4, 500, desk_tuples) == alone


def test_both_lists_of_numba_give_the_same():
    pytest.importorskip("numba")
    from onthefly.programs.desk import desk_lists

    assert desk_lists.in_own_list(100) == sum(range(100))
    assert desk_lists.in_typed_list(100) == sum(range(100))
