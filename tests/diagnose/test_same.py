"""Are two results the same, but for rounding?"""

import collections

import numpy as np
import pytest

from onthefly.diagnose.same import (
    CLOSE,
    SAME,
    difference,
    incomparable,
    noise_of,
)

Pair = collections.namedtuple("Pair", "total rest")


@pytest.mark.parametrize(
    ("result", "expected", "how"),
    [
        (np.array([1, np.nan]), np.array([1, np.nan]), SAME),
        ({1: [2]}, {1: [2]}, SAME),
        ({2: 1.0, 1: 0.3}, {1: 0.1 + 0.2, 2: 1.0}, CLOSE),
        ({1: 2}, {1: 2, 3: 4}, "{1: 2} in place of {1: 2, 3: 4}"),
        (0.1 + 0.2, 0.3, CLOSE),
        ([1, 2], [1], "[1, 2] in place of [1]"),
        ((1.5, np.ones(3)), (1.5, np.ones(3)), SAME),
        (Pair(1.0, np.ones(2)), Pair(1.0, np.ones(2)), SAME),
        (np.eye(2), [[1.0, 0.0], [0.0, 1.0]], SAME),
        ((1, None), (1, None), SAME),
        ("abc", "abd", "'abc' in place of 'abd'"),
        (1, 2, "1 in place of 2"),
        (0, 2**64, "an integer of more than 64 bits wraps"),
    ],
)
def test_difference(result, expected, how):
    assert difference(result, expected) == how


def test_a_sum_near_zero_is_known_to_the_rounding_of_its_terms():
    def deviations(x):
        return float(np.sum(x - np.mean(x)))

    def in_order(x):
        mean = sum(x) / len(x)
        return sum(v - mean for v in x)

    x = np.random.default_rng(0).normal(size=10_000)
    expected = deviations(x)
    assert difference(in_order(x), expected) not in (SAME, CLOSE)
    noise = noise_of(deviations, (x,), expected)
    assert difference(in_order(x), expected, noise) == CLOSE
    assert difference(expected + 1e-6, expected, noise) not in (SAME, CLOSE)


def test_small_results_are_no_noise():
    def small(x):
        return float(x[0]) * 1e-20

    noise = noise_of(small, (np.ones(3),), 1e-20)
    assert difference(3e-20, 1e-20, noise) not in (SAME, CLOSE)


def test_what_is_no_measure():
    assert incomparable(None, None).startswith("it returns nothing")
    assert incomparable(1, 2).startswith("it gets another result")
    assert incomparable(0.1 + 0.2, 0.3) == ""


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({5: 9.0, 6: 8.0}, {1: 1.0, 2: 2.0}),
        ({"1": 1.0}, {1: 1.0}),
    ],
)
def test_other_keys_are_another_result(result, expected):
    assert difference(result, expected) not in (SAME, CLOSE)


def test_single_precision_has_a_rounding_of_its_own():
    assert difference(np.float32(34.56323), np.float32(34.563217)) == CLOSE
    assert difference(np.float32(34.6), np.float32(34.5)) not in (SAME, CLOSE)


def test_the_first_place_that_differs_is_named():
    one, other = list(range(300)), list(range(300))
    other[150] = -1
    assert difference(other, one) == "-1 in place of 150 at [150]"
