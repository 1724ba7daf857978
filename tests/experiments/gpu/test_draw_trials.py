"""What the error law and three tests see of generators in threads."""

import pytest

from onthefly.experiments.gpu import draw_trials
from onthefly.kernels import draws

SHOTS = [100, 1000, 10_000]


def test_the_error_law_of_one_seed_is_as_straight_and_higher():
    lines = {
        way: draw_trials.line(
            draw_trials.estimates(way, SHOTS, 60, threads=4, seed=3)
        )
        for way in (draws.spawned, draws.same_seed)
    }
    for line in lines.values():
        assert list(line.errors) == SHOTS
        assert line.fit["b"].value == pytest.approx(-0.5, abs=0.1)
    spawned, same = (line.height for line in lines.values())
    assert spawned.low < 1 < spawned.high
    assert same.low < 2 < same.high  # the root of four


@pytest.mark.parametrize(
    ("name", "before", "as_one"),
    [
        ("NumPy, shared", 0, True),
        ("Numba, shared, locked", 0, True),
        ("spawned", 0, False),
        ("one seed for all", 3 * 1000, False),
    ],
)
def test_the_tests_find_what_was_drawn_before(name, before, as_one):
    way = (draws.SHARED | draws.EACH)[name]
    tested = draw_trials.tested(way, 500, threads=4, calls=2, seed=5)
    alike = tested.pop("alike")
    assert tested == {"count": 4000, "before": before, "as_one": as_one}
    assert (alike > 0.999) == (name == "one seed for all")


def test_most_is_the_try_with_the_most_repeats():
    seeds = iter([0, 3, 1])  # threads that share one

    def way(seed, threads):
        if threads == 1:
            return draws.spawned(seed, 1)
        return draws.from_seeds([7] * next(seeds) + [8, 9, 10, 11][:threads])

    tested = draw_trials.most(way, 2000, threads=3, calls=1)
    assert tested["before"] == 2 * 2000
