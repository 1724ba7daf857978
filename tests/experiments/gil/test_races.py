"""Races of two threads for one number."""

from onthefly.experiments.gil import race_standalone


def test_a_lock_loses_nothing():
    up, down = race_standalone.VARIANTS["with a lock"]
    result = race_standalone.repeat(up, down, 20_000, 5, 9)
    assert result["runs"] == 5 and result["lost"] == 0


def test_a_race_that_loses_is_counted():
    def twice(steps):
        race_standalone.add(steps)
        race_standalone.add(1)

    found = race_standalone.repeat(twice, race_standalone.sub, 10, 3, 9)
    assert found["runs"] == found["lost"] == 3
    assert found["worst"] >= 1 and found["seconds"] > 0


def test_races_end_with_their_budget():
    up, down = race_standalone.VARIANTS["g += 1"]
    assert race_standalone.repeat(up, down, 10, 10**6, 0)["runs"] == 1
