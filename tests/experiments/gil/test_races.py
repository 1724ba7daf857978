"""Races of two threads for one number, here and under other interpreters."""

import math

import pytest

from onthefly.experiments.gil import bare_standalone, places, races

LOCKED = "with lock: g = g ± one()"


@pytest.fixture(scope="module")
def pythons():
    """Every interpreter of this machine."""
    found = {name: races.program(name) for name in races.pythons()}
    yield found
    for program in found.values():
        program.close()


def test_a_lock_loses_nothing_anywhere(pythons):
    for row in races.under(pythons, {LOCKED: (3000, 4)}):
        assert row == {"CPython": row["CPython"], LOCKED: [0, 0, 0, 0]}


def test_what_is_lost_is_counted():
    assert races.losses(lambda steps: steps - 5, 5, 3) == [0, 0, 0]
    assert races.losses(lambda steps: steps - 5, 6, 3) == [1, 1, 1]
    assert races.wrong([1, 0, 1]).note == "2 of 3"


def swept(**shares):
    """Return a Sweep whose runs of `ms` end as given."""
    return races.Sweep(
        {
            int(ms): {"ends": ends, "seconds": [int(ms) / 1e3] * len(ends)}
            for ms, ends in shares.items()
        }
    )


def test_a_sweep_shows_where_runs_begin_to_be_wrong():
    sweep = swept(**{"9": [0, 4], "2": [0, 0], "5": [0, 0], "20": [1, 1]})
    begins = sweep.threshold()
    assert (begins.value, begins.low) == (9e-3, 5e-3)
    assert sweep.shortest() == 9e-3
    assert list(sweep.shares(1e-3)) == pytest.approx([2, 5, 9, 20])
    assert sweep.ends(high=6e-3) == [0, 0, 0, 0]
    assert races.right(sweep.ends(low=6e-3)).note == "1 of 4"


def test_a_sweep_without_a_wrong_run_bounds_nothing_from_above():
    sweep = swept(**{"2": [0], "5": [0]})
    assert sweep.shortest() is None
    assert (sweep.threshold().low, sweep.threshold().high) == (5e-3, math.inf)


def test_stops_of_an_update(pythons):
    for name, program in pythons.items():
        stops = program.ask("stops", "g = g ± one()", 150)
        assert sum(each["stops"] for each in stops) > 50
        text = [each["instruction"] for each in stops if each["inside"]]
        assert text[0] == "LOAD_GLOBAL g"
        steps = program.ask("steps", "g = g ± one()")
        assert steps == [*text, "STORE_GLOBAL g"]
        if races.has_gil(name):  # a call is a place to stop, in each version
            assert races.inside(stops).value > 0


def test_an_update_is_lost_where_it_is_cut(pythons):
    for name, program in pythons.items():
        if races.minor(name) < 7:
            continue
        for cut in program.ask("cuts", "g ±= 1"):
            assert cut["left"] == (2 if cut["inside"] else 3), name


@pytest.mark.parametrize("place", places.PLACES)
def test_places_count(place):
    update, end = places.PLACES[place]()
    update(5, 2)
    update(3, -1)
    assert end() == 7


def test_a_bare_update_is_raced_anywhere(pythons):
    for program in pythons.values():
        for place in bare_standalone.SHARED:
            left = program.ask(bare_standalone.raced, place, 10, 3)
            assert left == [0, 0, 0]
