"""Cython, Pythran and mypyc: listings, first calls, what each takes."""

import pytest

from cases import skip_if
from onthefly.experiments.numba import ahead_of_time

EVERY = skip_if("" if ahead_of_time.here() else "a compiler is missing")


@pytest.mark.parametrize(
    "function", ["collatz_cython", "collatz_pythran", "collatz_mypyc"]
)
def test_a_listing_is_the_function_alone(function):
    text = ahead_of_time.listing(function)
    assert f"def {function}(" in text
    assert text.count("\n\n\n") == 0
    assert '"""' not in text


@EVERY
def test_each_import_and_first_call_is_timed(monkeypatch):
    way, program = next(iter(ahead_of_time.WAYS.items()))
    monkeypatch.setattr(ahead_of_time, "WAYS", {way: program})
    times = ahead_of_time.firsts(10, budget=0.1)
    assert {s.name for s in times} == {"Numba", way}


@EVERY
def test_what_each_takes_of_plain_python(monkeypatch):
    class_, big = "a class", "a number beyond 64 bits"
    few = {what: ahead_of_time.LIMITS[what] for what in (class_, big)}
    monkeypatch.setattr(ahead_of_time, "LIMITS", few)  # each is built thrice
    found = ahead_of_time.limits()
    assert list(found) == [class_, big]
    python, refused = ahead_of_time.AS_PYTHON, ahead_of_time.REFUSED
    assert all(
        said[way] == python
        for said in found.values()
        for way in ("Cython", "mypyc")
    )
    assert found[class_]["Numba"] == found[class_]["Pythran"] == refused
    assert found[big]["Numba"] not in (python, refused)
