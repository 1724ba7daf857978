"""Predictions, of variants whose costs are known to the last digit."""

import pytest

from cases import measured_problems
from onthefly.experiments.choice.bench import ONE
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings
from onthefly.page import results
from onthefly.predict import prediction

SIZES = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]
BETWEEN = [17, 1732, 17_321]
LAWS = {  # seconds of a call: a, b
    "Python": (5e-7, 9e-8),
    "NumPy": (3e-6, 1.5e-9),
    "C": (2e-6, 1.2e-9),
    "Numba": (1e-6, 3e-10),
    "TensorFlow": (5e-4, 2e-9),
    "Numba, prange": (1.5e-5, 1e-10),
    "Numba, prange" + ONE: (1e-5, 4e-10),
}
STARTS = {
    "Python": 0.0,
    "NumPy": 1e-5,
    "C": 0.01,
    "Numba": 0.9,
    "TensorFlow": 1.0,
    "Numba, prange": 2.0,
}
MOVES = {"from lists": (1e-6, 4e-8), "to lists": (1e-6, 3e-8)}


def timings(laws, sizes, wrong=1.0):
    return Timings(
        Series(name, n, None, ((a + b * n) * wrong,) * 8)
        for name, (a, b) in laws.items()
        for n in sizes
    )


def once(seconds):
    return Timings(Series(k, None, None, (s,)) for k, s in seconds.items())


def known(wrong=1.0, workers=4, **measured):
    """Return Choices whose unseen sizes take other laws, if any are given."""
    one = results.Results("eight-problems", "S")
    one.machine["cores"] = {**one.machine["cores"], "usable": workers}
    laws = {k: law for k, law in LAWS.items() if not k.endswith(ONE)}
    one.timings = {
        "starts": once(
            {
                "numpy": 0.1,
                "numba": 0.5,
                "numba.prange": 0.7,
                "tensorflow": 3.0,
            }
        ),
        "polynomial": timings(LAWS, SIZES),
        "polynomial, first call": once(STARTS),
        "polynomial, conversion": timings(MOVES, SIZES),
        "polynomial, unseen": timings(laws | measured, BETWEEN, wrong),
    }
    return prediction.choices(one)["polynomial"]


def test_a_cost_is_start_and_calls():
    cost = known().cost("Numba", 2000, calls=1000)
    law = 0.5 + 0.9 + 1000 * (1e-6 + 6e-7)
    assert cost.value == pytest.approx(law, rel=1e-4)
    assert cost.low < cost.value < cost.high


def test_data_that_lie_elsewhere_cost_their_way():
    def cost(variant, data):
        return known().cost(variant, 1000, calls=10**6, data=data).value

    call = 10**6 * 1e-6
    to, from_ = call + 1e3 * 3e-2, call + 1e3 * 4e-2
    assert cost("Python", "lists") == cost("Python", "own")
    assert cost("Python", "arrays") - cost("Python", "own") == (
        pytest.approx(to, rel=1e-3)
    )
    assert cost("NumPy", "arrays") == cost("NumPy", "own")
    assert cost("NumPy", "lists") - cost("NumPy", "own") == (
        pytest.approx(from_, rel=1e-3)
    )


@pytest.mark.parametrize("workers", [2, 3, 8, 64])
@pytest.mark.parametrize("n", [1, 10**3, 16_667, 10**5, 10**7])
def test_a_call_follows_the_law_of_workers(n, workers):
    """The page's formula, at sizes where sharing gains and where it costs."""
    cost = known().costs["Numba, prange"]
    one, four = cost.one.at(n).value, cost.all_.at(n).value
    asked, workers = workers, min(workers, 8)  # twice those measured
    if one > four:
        shared = (one - four) / (1 - 1 / 4)
        law = max(one - shared * (1 - 1 / workers), one / workers)
    else:
        law = one + (four - one) * (workers - 1) / (4 - 1)
    assert cost.call(asked).at(n).value == pytest.approx(law, rel=1e-9)


def test_the_winner_changes_with_size_and_calls():
    choices = known()
    assert choices.winner(10).variant == "Python"
    assert choices.winner(100_000, calls=10**6).variant == "Numba, prange"
    assert choices.winner(1000, calls=10**8).variant == "Numba"
    ahead = choices.winner(1000, calls=10**8)
    assert not ahead.rivals and not ahead.beyond
    assert ahead.gain > 10


def test_near_ways_are_rivals_and_far_sizes_beyond():
    choices = known()
    near = choices.winner(70_000, calls=10**9)  # where their lines cross
    assert {near.variant, *near.rivals} == {"Numba", "Numba, prange"}
    assert choices.winner(10**7, calls=10).beyond


@pytest.mark.parametrize(("wrong", "hits"), [(1, 1), (1.15, 1), (1.3, 0)])
def test_a_hit_is_a_prediction_within_a_fifth(wrong, hits):
    assert prediction.hits([known(wrong)]).value == hits


def test_the_predicted_winner_may_be_wrong():
    assert prediction.right([known()]).value == 1
    assert prediction.right([known(C=(1e-9, 1e-12))]).value == 0


def test_winners_that_are_near_the_second_are_no_cases():
    far = dict.fromkeys(STARTS, (1.0, 1.0))
    near = {"NumPy": (1e-5, 1e-9), "C": (1.1e-5, 1.1e-9)}
    choices = known(**far | near)
    assert prediction.right([choices]).note == "0 of 0"


def test_other_numbers_of_cores_are_beyond_what_was_measured():
    choices = known()
    assert not choices.beyond("Numba, prange", 1000, workers=8)
    assert choices.beyond("Numba, prange", 1000, workers=9)
    assert not choices.beyond("Numba", 1000, workers=9)
    assert choices.beyond("TensorFlow", 1000, workers=16)
    assert not choices.beyond("TensorFlow", 1000, workers=4)
    assert known(workers=1).beyond("Numba, prange", 1000, workers=4)


def test_a_conversion_that_was_not_measured_rules_a_way_out():
    choices = known()
    assert "TensorFlow" in choices.ranked(1000, data="own")
    assert "TensorFlow" not in choices.ranked(1000, data="arrays")


def test_a_start_that_two_ways_share_narrows_their_ratio():
    choices = known()
    asked = {"calls": 10**2}
    best, other = (
        choices.cost(variant, 3 * 10**5, **asked)
        for variant in ("C", "NumPy")
    )
    longer = choices.longer("NumPy", "C", 3 * 10**5, **asked)
    assert longer.value == pytest.approx((other / best).value)
    assert longer.high - longer.low < (other / best).high - (other / best).low


def test_without_imports_a_start_is_the_first_call():
    cost = known().cost("Numba", 10, imports=False)
    assert cost.value == pytest.approx(0.9, rel=1e-3)


def test_without_a_test_nothing_is_said_to_have_come_true():
    measured = measured_problems()
    for name in [k for k in measured.timings if k.endswith("unseen")]:
        del measured.timings[name]
    every = prediction.choices(measured)
    assert prediction.tests(every) == []
    assert prediction.hits(every.values()).interval == "0 to 100"
