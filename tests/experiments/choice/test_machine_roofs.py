"""The loops that measure the roofs, and what is made of their times."""

import subprocess
import sys

import numpy as np
import pytest

from onthefly.clock import measure
from onthefly.experiments.choice import roof_loops, roofs
from onthefly.experiments.choice.climb import Climb
from onthefly.quantity import Quantity

MOST = 2**20


@pytest.fixture(scope="module")
def room():
    room = roofs.Room(MOST)
    room.source[:] = np.random.default_rng(0).random(room.source.size)
    return room


def test_reading_adds_up_all_numbers():
    x = np.random.default_rng(1).random(1001)
    assert np.isclose(roof_loops.READING.run(x, 3), 3 * x.sum())


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


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_read_is_not_written(room, threads):
    before = room.source.copy()
    room.trial(roof_loops.TRIAD, threads)(roofs.LEAST)
    assert np.array_equal(room.source, before)


@pytest.mark.parametrize("degree", [1, 16])
def test_horner_computes_a_polynomial(degree):
    x, y = np.random.default_rng(2).random((2, 100))
    roof_loops.horner(degree).run(x, y, 1)
    want = (
        np.polyval([1.0] + [0.5] * degree, x) - x**degree + x ** (degree + 1)
    )
    assert np.allclose(y, want)


def test_a_trial_tells_operations_and_bytes_of_the_same_elements(room):
    loop, second = roof_loops.horner(16), Quantity.exact(1, "s")
    trial = room.trial(loop)
    speed, bandwidth = (
        f(second, MOST).value for f in (trial.speed, trial.bandwidth)
    )
    assert np.isclose(speed / bandwidth, loop.intensity.ratio)


@pytest.mark.parametrize("most", [2**18, 3 * 2**20, 2**27])
def test_sizes_rise_from_the_first_cache_to_memory(most):
    rising = roofs.sizes(most)
    assert rising[0] == roofs.LEAST and rising[-1] == most
    assert rising == sorted(set(rising))


def test_no_cache_holds_most():
    assert roofs.most({"L1": 2**15, "L3": 2**24}) == 2**26
    assert roofs.most({}) == 2**27 and roofs.most({"L3": 2**30}) == roofs.MOST


def test_intensities_are_of_problems_with_arithmetic():
    assert roofs.intensity("polynomial").ratio == 6 / 16
    assert roofs.intensity("stencil").ratio == 4 / 16
    with pytest.raises(ValueError, match=r"words.*polynomial"):
        roofs.intensity("words")


def test_the_lower_roof_holds():
    peak, bandwidth = Quantity(50, 49, 51), Quantity(20, 19, 21)
    assert roofs.limit(1, peak, bandwidth).value == 20
    assert roofs.limit(10, peak, bandwidth).value == 50
    points = {1: Quantity(18, 17, 19), 10: Quantity(50, 49, 51)}
    roof = roofs.roof(points, peak, bandwidth)
    assert roof.predict(np.array([1, 2.5, 10])).tolist() == [20, 50, 50]
    assert np.isclose(roof.worst, 20 / 18 - 1) and roof.valid == (1, 10)


def test_a_share_is_of_the_bytes_that_a_problem_has_to_move():
    seconds, bandwidth = Quantity.exact(2, "s"), Quantity.exact(4, "GB/s")
    share = roofs.share("dot", 10**9, seconds, bandwidth)
    assert share.unit == "%" and share.value == 16 / 2 / 4


@pytest.mark.parametrize("threads", [1, 2])
def test_a_climb_tells_its_roofs_and_points(room, threads):
    climb = Climb(room, threads, degrees=[1, 16])
    sizes = {name: size for name, (size,) in climb.sizes.items()}
    for name, size in sizes.items():
        climb.variants[name](size)  # each loop is one that runs
    times = measure(climb.variants, sizes=climb.sizes, budget=0.1, rounds=1)
    points = climb.points(times)
    assert list(points) == [2 / 16, 32 / 16]
    assert points[2].value == pytest.approx(
        MOST / 16 * 32 / 1e9 / climb.time(times, 16).value, rel=0.01
    )
    roof = climb.roof(times)
    assert roof.predict(1e6) == climb.peak(times).value
    assert roof.predict(1e-6) == 1e-6 * climb.bandwidth(times).value


def test_what_needs_no_compiler_is_there_without_one():
    program = """
import sys
sys.modules["numba"] = None
import numpy as np
from onthefly.experiments.choice import roofs
from onthefly.experiments.choice.traffic import counted
assert roofs.Room(2**14).source.size
assert counted(lambda x: x + x, np.ones(10)).flops == 10
try:
    from onthefly.experiments.choice import roof_loops
except ImportError:
    sys.exit(0)
sys.exit("roof_loops: compiled without Numba")
"""
    subprocess.run([sys.executable, "-c", program], check=True)
