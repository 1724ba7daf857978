"""The loops that measure the roofs, and what is made of their times."""

import numpy as np
import pytest

from onthefly.experiments.choice import roof_loops, roofs
from onthefly.experiments.choice.climb import Climb
from onthefly.measure.clock import measure
from onthefly.measure.quantity import Quantity
from onthefly.measure.timings import Timings

MOST = 2**20


@pytest.fixture(scope="module")
def room():
    room = roofs.Room(MOST)
    room.source[:] = np.random.default_rng(0).random(room.source.size)
    return room


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("size", [roofs.LEAST, MOST // 3, MOST])
def test_copying_goes_over_what_it_says(room, threads, size):
    room.target[:] = -1
    trial = room.trial(roof_loops.COPYING, threads)
    trial(size)
    copied = np.count_nonzero(room.target != -1)
    assert size * 0.9 <= 16 * copied <= size
    second = Quantity.exact(1, "s")
    moved = trial.bandwidth(second, size).value * 1e9
    assert np.isclose(moved, 16 * copied * (MOST // size))
    assert np.isin(room.target[:copied], room.source).all()


def test_the_lower_roof_holds():
    peak, bandwidth = Quantity(50, 49, 51), Quantity(20, 19, 21)
    assert roofs.limit(1, peak, bandwidth).value == 20
    assert roofs.limit(10, peak, bandwidth).value == 50
    points = {1: Quantity(18, 17, 19), 10: Quantity(50, 49, 51)}
    roof = roofs.roof(points, peak, bandwidth)
    assert roof.predict(np.array([1, 2.5, 10])).tolist() == [20, 50, 50]
    assert np.isclose(roof.worst, 20 / 18 - 1) and roof.valid == (1, 10)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_climb_has_its_roofs_and_points(room, threads):
    climb = Climb(room, threads, degrees=[1, 16])
    times = Timings.of(
        measure(climb.variants, sizes=climb.sizes, budget=0.1, rounds=1)
    )
    points = climb.points(times)
    assert list(points) == [2 / 16, 32 / 16]
    assert points[2].value == pytest.approx(
        MOST / 16 * 32 / 1e9 / climb.time(times, 16).value, rel=0.01
    )
    roof = climb.roof(times)
    assert roof.predict(1e6) == climb.peak(times).value
    assert roof.predict(1e-6) == 1e-6 * climb.bandwidth(times).value
