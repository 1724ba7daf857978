"""The loops of plain Python, under each interpreter of this machine."""

import pytest

from onthefly.experiments.interpreters import compilers, loops_standalone


def test_each_interpreter_finds_the_same():
    results = compilers.results(300)
    assert set(results) == set(loops_standalone.LOOPS)
    for names in results.values():
        assert names == list(compilers.programs())


def test_the_tank_is_emptied():
    assert loops_standalone.levels([6.0, 6.0, 3.0]) == [6.0, 0.0, 3.0]


def test_names_tell_builds_apart():
    assert loops_standalone.version().startswith("CPython 3.")
    assert len(set(compilers.builds())) == len(compilers.programs())


def test_first_calls_are_those_of_a_new_process():
    taken = compilers.warm_up("collatz", 200, 4)
    assert all(len(each) == 4 for each in taken.values())
    assert list(taken) == list(compilers.programs())


def test_memory_is_told_in_bytes():
    assert min(compilers.memory("π", 1000).values()) > 2**20


def test_the_extension_is_called_where_it_builds():
    try:
        samples = compilers.extension(1, 10, 0.1)
    except ValueError:
        pytest.skip("no interpreter here has its headers")
    assert set(samples.names) <= set(compilers.programs())
