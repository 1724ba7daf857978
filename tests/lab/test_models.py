"""Fits: their constants, intervals, doubts."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onthefly.measure import models
from onthefly.measure.quantity import Quantity


@given(a=st.floats(1e-7, 1e-3), b=st.floats(1e-10, 1e-7))
def test_line_recovers_its_constants(a, b):
    sizes = np.array([100, 300, 1000, 3000, 10_000, 100_000])
    fit = models.line(sizes, a + b * sizes)
    assert fit.predict(5000) == pytest.approx(a + b * 5000, rel=1e-3)
    assert fit.worst < 1e-3


def test_line_interval_covers():
    rng, hits = np.random.default_rng(11), 0
    sizes = np.array([100, 300, 1000, 3000, 10_000, 30_000])
    for _ in range(200):
        noise = rng.normal(1, 0.02, sizes.size)
        fit = models.line(sizes, (1e-5 + 1e-8 * sizes) * noise)
        hits += fit["b"].low <= 1e-8 <= fit["b"].high
    assert hits >= 200 * 0.9


def test_sizes_left_out_are_predicted_from_the_others():
    sizes = [30_000, 100, 300, 1000, 3000, 10_000]
    seconds = [1e-5 + 1e-8 * n for n in sizes]
    predictions = models.left_out(sizes, seconds)
    assert [n for n, _, _ in predictions] == [300, 3000, 30_000]
    for _, predicted, real in predictions:
        assert predicted == pytest.approx(real, rel=1e-3)
    seconds[4] *= 2  # a size that is left out changes no prediction
    again = models.left_out(sizes, seconds)
    assert [row[:2] for row in again] == [row[:2] for row in predictions]
    assert again[1][2] == 2 * predictions[1][2]
    with pytest.raises(ValueError, match="needs 5"):
        models.left_out(sizes[:4], seconds[:4])


@given(b=st.floats(-2, 2), a=st.floats(1e-3, 1e3))
def test_power_recovers_its_constants(a, b):
    sizes = np.array([1e2, 1e3, 1e5, 1e7])
    fit = models.power(sizes, a * sizes**b)
    assert fit["b"].value == pytest.approx(b, abs=1e-6)
    assert fit["a"].value == pytest.approx(a, rel=1e-5)


def test_crossing_is_where_the_lines_meet():
    sizes = np.array([100, 1000, 10_000, 100_000])
    slow = models.line(sizes, 1e-6 + 1e-7 * sizes)
    fast = models.line(sizes, 1e-5 + 1e-8 * sizes)
    assert models.crossing(slow, fast).value == pytest.approx(100, rel=0.01)
    assert models.crossing(fast, slow) is None  # the steeper never wins
    later = models.line(sizes, 1e-4 + 2e-7 * sizes)
    assert models.crossing(slow, later) is None


@pytest.mark.parametrize(
    ("n", "y", "message"),
    [
        ([1, 2], [1, 2], "needs 3"),
        ([1, 2, 3], [1, 2], "against"),
        ([1, 2, 3], [1, 2, 0], "above 0"),
        ([1, 2, 3], [1, 2, math.nan], "finite"),
    ],
)
def test_fits_refuse(n, y, message):
    for fit in (models.line, models.power):
        with pytest.raises(ValueError, match=message):
            fit(n, y)


def test_a_fit_keeps_the_doubts_and_the_origin_of_its_data():
    sizes = [1, 2, 3]
    data = [
        Quantity(n, n, n, "s", "noisy", n == 2, "box" if n == 3 else "")
        for n in map(float, sizes)
    ]
    data[0] = dataclasses.replace(data[0], groups=frozenset({"measured"}))
    for fit in (models.line(sizes, data), models.power(sizes, data)):
        for name in ("a", "b"):
            assert fit[name].origin == "box"
            assert fit[name].disturbed and fit[name].note == "noisy"
            assert fit[name].groups == {"measured"}
    line = models.line(sizes, data)
    assert line.at(10).value == pytest.approx(10, rel=1e-3)
    assert line.at(10).short.endswith("(recorded)")
    assert models.crossing(line, line) is None


def test_the_root_mean_square_covers_the_truth():
    rng = np.random.default_rng(2018)
    every = [models.root_mean_square(rng.normal(0, 2, 5)) for _ in range(400)]
    covered = sum(q.low <= 2 <= q.high for q in every)
    assert 360 <= covered <= 398  # 95 % of 400, give or take four sigma
    with pytest.raises(ValueError, match="list"):
        models.root_mean_square([])


def test_the_overhead_of_a_loop():
    slow, fast = {}, {}
    for n in (10, 100, 1000):
        for steps in (1, 8, 64):
            fast[n, steps] = 3e-4 + steps * (5e-6 + 1e-9 * n)
            slow[n, steps] = 2e-5 + steps * (4e-5 + 2e-9 * n)
    step, once = models.loop_overhead(slow, fast)
    assert step["a"].value == pytest.approx(3.5e-5, rel=1e-3)
    assert step["b"].value == pytest.approx(1e-9, rel=1e-3)
    assert once.value == pytest.approx(2.8e-4, rel=1e-3)
    with pytest.raises(ValueError, match="needs 3"):
        models.loop_overhead({(1, 1): 1.0}, {(1, 1): 1.0})


SIZES = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]


def test_a_curve_follows_a_line_and_goes_on_beyond_it():
    curve = models.curve(SIZES, [2e-6 + 3e-9 * n for n in SIZES])
    for n in (1, 50, 5000, 50_000, 1_000_000):
        assert curve.at(n).value == pytest.approx(2e-6 + 3e-9 * n, rel=0.02)
    assert curve.fixed == pytest.approx(2e-6, rel=0.01)
    assert curve.spread < 0.1
    assert curve.upto == 100_000


def test_a_curve_passes_through_what_was_measured():
    def seconds(n):  # a library that starts its threads for large calls
        return 1e-6 + 1e-9 * n if n < 2000 else 5e-5 + 5e-10 * n

    curve = models.curve(SIZES, [seconds(n) for n in SIZES])
    for n in SIZES:
        assert curve.at(n).value == pytest.approx(seconds(n), rel=1e-6)
    assert curve.at(50).value == pytest.approx(seconds(50), rel=0.02)
    assert curve.spread > 1  # the step is nothing that its neighbours tell


def test_a_curve_never_costs_less_than_nothing():
    curve = models.curve([10, 100, 1000], [1e-6, 2e-6, 200e-6])
    assert min(curve.at(n).value for n in (1, 5, 500, 10**7)) > 0
    falling = models.curve([10, 100, 1000], [3e-6, 2e-6, 1e-6])
    assert falling.at(10**6).value == pytest.approx(1e-6)


@pytest.mark.calibration
def test_the_spread_of_a_curve_holds_what_it_has_not_seen():
    rng = np.random.default_rng(2018)
    held = 0
    for _ in range(1000):
        noise = np.exp(rng.normal(0, 0.05, len(SIZES) + 1))
        true = [2e-6 + 3e-9 * n for n in [*SIZES, 550]]
        *known, unseen = true * noise
        told = models.curve(SIZES, known).at(550)
        held += told.low <= unseen <= told.high
    assert held > 930  # it is meant to be 95 %, and errs on the wide side


def test_a_part_of_a_gain_counts_by_logarithms():
    part = models.part_of_gain(
        Quantity(2, 1.9, 2.1, "×"), Quantity(4, 3.9, 4.1, "×")
    )
    assert part.unit == "%" and part.value == pytest.approx(0.5)
    assert part.low < 0.5 < part.high < 0.6
    none = models.part_of_gain(Quantity.exact(1, "×"), Quantity.exact(4, "×"))
    assert none.value == 0
