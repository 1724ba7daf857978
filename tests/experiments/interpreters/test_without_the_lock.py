"""π, shared objects and races: under this Python, and the others found."""

import sys

import pytest

from onthefly.experiments.interpreters import (
    builds,
    contended_standalone,
    lost_standalone,
    pi_standalone,
    trials,
)
from onthefly.tools import interpreters
from onthefly.tools.processes import Program


@pytest.mark.parametrize("way", ["in turn", "threads", "processes"])
def test_each_way_finds_the_same_points(way):
    alone = [pi_standalone.hits(2000, seed) for seed in range(3)]
    assert pi_standalone.counted(way, 2000, 3) == alone


def test_one_stream_is_shared_out():
    total = sum(pi_standalone.counted("threads, one stream", 5000, 2))
    assert abs(4 * total / 10_000 - 3.14) < 0.15


def test_objects_are_touched():
    for name in contended_standalone.names():
        for shared in (False, True):
            assert contended_standalone.seconds(name, shared, 2, 50) > 0


@pytest.mark.parametrize("name", lost_standalone.CURES)
def test_a_cure_loses_nothing(name):
    assert lost_standalone.losses(name, 500, 5) == [0] * 5


@pytest.mark.parametrize("name", lost_standalone.RACES)
def test_a_race_that_nobody_joins_loses_nothing(name):
    run, lost = lost_standalone.RACES[name]()
    for me in range(lost_standalone.THREADS):
        run(me, 100)
    assert lost(100 * lost_standalone.THREADS) == 0


def test_what_another_thread_overwrites_is_counted():
    run, lost = lost_standalone.add_item()
    run(0, 10)
    assert lost(12) == 2


def newest():
    """Return the path of the newest Python here, if it is 3.13 or newer."""
    found = interpreters.find()[-1]
    if found["minor"] < 13:
        pytest.skip("no Python 3.13 or newer")
    return found["path"]


def test_sub_interpreters_find_the_same_points():
    with Program(pi_standalone.__name__, python=newest()) as program:
        found = program.ask("counted", "sub-interpreters", 2000, 2)
    assert found == [pi_standalone.hits(2000, seed) for seed in range(2)]


@pytest.fixture
def twins():
    """Both builds, where this machine has two that are alike."""
    return builds.twins() or pytest.skip("no free-threaded build")


def test_a_guided_build_that_does_not_start_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(builds, "guided_folder", lambda: tmp_path)
    for name in ("3.14.7", "3.14.10"):
        (tmp_path / name / "bin").mkdir(parents=True)
    (tmp_path / "3.14.7/bin/python3.14").symlink_to(sys.executable)
    (tmp_path / "3.14.10/bin/python3.14").write_text("unfinished")
    (one,) = builds._guided()
    assert one["path"].startswith(str(tmp_path / "3.14.7"))


def test_a_guided_pair_comes_first_and_no_pair_is_mixed(monkeypatch):
    def one(version, free, pgo):
        return {"version": version, "free_threaded": free, "pgo": pgo}

    def pair(found, guided):
        monkeypatch.setattr(builds.interpreters, "find", lambda: found)
        monkeypatch.setattr(builds, "_guided", lambda: guided)
        return list(builds.twins.__wrapped__().values())

    plain = [one("3.14.7", free, False) for free in (False, True)]
    guided = [one("3.14.7", free, True) for free in (False, True)]
    newer = one("3.15.2", False, True)
    assert pair([*plain, newer], guided) == guided
    assert pair([*plain, newer], []) == plain
    assert pair([plain[0], newer], guided[1:]) == []


def test_twins_differ_in_the_lock_alone(twins):
    locked, free = twins[builds.LOCK], twins[builds.FREE]
    assert locked["version"] == free["version"]
    assert locked["gil"]
    assert not free["gil"]


def test_both_twins_find_the_same_points(twins):
    hits = trials.hits(1000, 2)
    first = hits[builds.LOCK]["in turn"]
    assert all(w == first for ways in hits.values() for w in ways.values())


def test_races_are_tallied(twins):
    for tally in trials.races(300, 4).values():
        for name in lost_standalone.CURES:
            assert tally[name] == {"runs": 4, "wrong": 0, "lost": 0.0}
        for one in tally.values():
            assert 0 <= one["wrong"] <= one["runs"]
