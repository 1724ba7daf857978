"""The error law from the hits of equal parts of a run."""

import math

import numpy as np
import pytest

from onthefly.experiments.speed import error_law
from onthefly.measure import models
from onthefly.measure.quantity import Quantity


def test_batches_are_the_errors_of_ever_larger_parts():
    rng = np.random.default_rng(1)
    hits = rng.binomial(1000, math.pi / 4, 4**6)
    law = error_law.batches(hits, 1000)
    assert list(law) == [1000 * 4**k for k in range(5)]
    for shots, q in law.items():
        assert q.low < math.sqrt((4 - math.pi) / math.pi / shots) * 1.3
        assert q.high > math.sqrt((4 - math.pi) / math.pi / shots) / 1.3
    assert abs(error_law.deviation(hits, 1000, math.pi)) < 5
    assert abs(error_law.deviation(hits, 1000, math.pi + 0.01)) > 5


def test_the_exponents_interval_holds_as_often_as_it_says():
    """Two runs each, as on the page; 95 % of the intervals must hold."""
    rng, hold, exponents = np.random.default_rng(2), 0, []
    for _ in range(200):
        points = {}
        for size, pieces in ((100, 4000), (2**20, 1000)):
            hits = rng.binomial(size, math.pi / 4, pieces)
            points |= error_law.batches(hits, size)
        q = error_law.power(points)
        exponents.append(q.value)
        hold += q.low < -0.5 < q.high
    assert 180 <= hold <= 198
    assert np.std(exponents) == pytest.approx(
        (q.high - q.low) / 3.92, rel=0.2
    )


def test_another_law_and_too_few_sizes_are_seen():
    points = {n: Quantity(n**-0.25, 0.9 * n**-0.25, 1.1 * n**-0.25)
              for n in (10, 100, 1000, 10**4)}  # fmt: skip
    assert error_law.power(points).value == pytest.approx(-0.25)
    with pytest.raises(ValueError, match="needs 3"):
        error_law.power({10: points[10], 100: points[100]})


def test_a_digit_takes_a_hundred_times_the_shots():
    b = Quantity(-0.5, -0.55, -0.45, note="doubt", origin="a box")
    factor = error_law.shots_a_digit(b)
    assert factor.value == pytest.approx(100)
    assert factor.low < 100 < factor.high
    assert (factor.note, factor.origin) == ("doubt", "a box")


def test_pooled_errors_are_known_better():
    rng = np.random.default_rng(4)
    parts = [models.root_mean_square(rng.normal(0, 2, 50)) for _ in range(8)]
    error = error_law.pooled(parts)
    assert error.low < 2 < error.high
    assert error.high - error.low < (parts[0].high - parts[0].low) / 2
