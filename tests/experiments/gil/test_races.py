"""Races of two threads for one number, here and under other interpreters."""

import math
import statistics
import sys

import pytest

from onthefly.experiments.gil import places, race_standalone, races

LOCKED = "with lock: g = g ± one()"


@pytest.fixture(scope="module")
def pythons():
    """Every interpreter of this machine."""
    found = {name: races.program(name) for name in races.pythons()}
    yield found
    for program in found.values():
        program.close()


def test_each_version_and_kind_is_there_once_and_this_one_itself(pythons):
    kinds = {(races.minor(name), races.has_gil(name)) for name in pythons}
    assert len(kinds) == len(pythons)
    assert races.this() in pythons
    assert races.minor(races.this()) == sys.version_info.minor


def test_a_lock_loses_nothing_anywhere(pythons):
    for row in races.under(pythons, {LOCKED: (3000, 4)}):
        assert row == {"CPython": row["CPython"], LOCKED: [0, 0, 0, 0]}


def test_what_is_lost_is_counted():
    assert races.losses(lambda steps: steps - 5, 5, 3) == [0, 0, 0]
    assert races.losses(lambda steps: steps - 5, 6, 3) == [1, 1, 1]
    assert races.wrong([1, 0, 1]).note == "2 of 3"


def test_the_interval_is_set_and_set_back():
    before, seen = sys.getswitchinterval(), []
    races.losses(lambda _: seen.append(sys.getswitchinterval()), 1, 1, 1e-3)
    assert seen == [pytest.approx(1e-3)]
    assert sys.getswitchinterval() == before


def swept(**shares):
    """Return a Sweep whose runs of `ms` lose what is told."""
    return races.Sweep(
        {
            int(ms): {"ends": ends, "seconds": [int(ms) / 1e3] * len(ends)}
            for ms, ends in shares.items()
        }
    )


def test_a_sweep_tells_where_runs_begin_to_be_wrong():
    found = swept(**{"9": [0, 4], "2": [0, 0], "5": [0, 0], "20": [1, 1]})
    begins = found.threshold()
    assert (begins.value, begins.low) == (9e-3, 5e-3)
    assert found.shortest() == 9e-3
    assert list(found.shares(1e-3)) == pytest.approx([2, 5, 9, 20])
    assert found.ends(high=6e-3) == [0, 0, 0, 0]
    assert races.right(found.ends(low=6e-3)).note == "1 of 4"


def test_a_sweep_without_a_wrong_run_bounds_nothing_from_above():
    found = swept(**{"2": [0], "5": [0]})
    assert found.shortest() is None
    assert (found.threshold().low, found.threshold().high) == (5e-3, math.inf)


def test_lengths_are_met_about():
    found = races.Sweep(races.lengths("g ±= 1", [0.002, 0.04], 5))
    short, long = found.lengths()  # on a busy machine, not to the millisecond
    assert 2 * short < long


def test_stretches_follow_the_interval():
    short, long = (
        statistics.median(race_standalone.slices(5, interval))
        for interval in (1e-3, 2e-2)
    )
    assert 2 * short < long and long >= 2e-2


def test_stops_of_an_update(pythons):
    for name, program in pythons.items():
        found = program.ask("stops", "g = g ± one()", 150)
        assert sum(each["stops"] for each in found) > 50
        text = [each["instruction"] for each in found if each["inside"]]
        assert text[0] == "LOAD_GLOBAL g"
        steps = program.ask("steps", "g = g ± one()")
        assert steps == [*text, "STORE_GLOBAL g"]
        if races.has_gil(name):  # a call is a place to stop, in each version
            assert races.inside(found).value > 0
            assert set(races.told(found)) >= set(text)


def test_an_update_is_lost_where_it_is_cut(pythons):
    for name, program in pythons.items():
        if races.minor(name) < 7:
            continue
        for found in program.ask("cuts", "g ±= 1"):
            assert found["left"] == (2 if found["inside"] else 3), name


def test_a_cut_that_is_never_reached_is_told():
    with pytest.raises(RuntimeError, match="no cut"):
        race_standalone.cut("g ±= 1", 9999)


@pytest.mark.parametrize("place", places.PLACES)
def test_places_count(place):
    update, end = places.PLACES[place]()
    update(5, 2)
    update(3, -1)
    assert end() == 7
