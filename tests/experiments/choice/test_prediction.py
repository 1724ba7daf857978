"""Predictions, of ways whose costs are known to the last digit."""

import pytest

from onthefly import results
from onthefly.experiments.choice import prediction
from onthefly.experiments.choice.bench import ONE
from onthefly.timings import Series, Timings

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


def once(found):
    return Timings(Series(k, None, None, (s,)) for k, s in found.items())


def known(wrong=1.0, workers=4, **measured):
    """Return Choices whose unseen sizes take other laws, if any are given."""
    found = results.Results("eight-problems", "S")
    found.machine["cores"] = {**found.machine["cores"], "usable": workers}
    one = {k: law for k, law in LAWS.items() if not k.endswith(ONE)}
    found.timings = {
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
        "polynomial, unseen": timings(one | measured, BETWEEN, wrong),
    }
    return prediction.choices(found)["polynomial"]


def test_a_cost_is_start_and_calls():
    found = known().cost("Numba", 2000, calls=1000)
    assert found.value == pytest.approx(0.5 + 0.9 + 1000 * (1e-6 + 6e-7))
    assert found.low < found.value < found.high


def test_data_that_lie_elsewhere_cost_their_way():
    def cost(way, data):
        return known().cost(way, 1000, calls=10**6, data=data).value

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


def test_workers_share_what_one_spends_beyond_many():
    one = 1e-5 + 4e-10 * 10**5
    four = 1.5e-5 + 1e-10 * 10**5

    def call(workers):
        cost = known().cost(
            "Numba, prange", 10**5, calls=10**9, workers=workers
        )
        return cost.value / 10**9

    assert call(1) == pytest.approx(one, rel=1e-3)
    assert call(4) == pytest.approx(four, rel=1e-3)
    shared = (one - four) / (3 / 4)
    assert call(2) == pytest.approx(one - shared / 2, rel=1e-3)
    assert four > call(16) > 0


def test_small_calls_pay_for_each_further_worker():
    def call(workers):
        return known().cost("Numba, prange", 10, calls=10**9, workers=workers)

    assert call(16).value > call(4).value > call(1).value


def test_the_winner_changes_with_size_and_calls():
    found = known()
    assert found.winner(10).variant == "Python"
    assert found.winner(100_000, calls=10**6).variant == "Numba, prange"
    assert found.winner(1000, calls=10**8).variant == "Numba"
    ahead = found.winner(1000, calls=10**8)
    assert not ahead.rivals and not ahead.beyond
    assert ahead.gain > 10
    assert ahead.lead > 1


def test_near_ways_are_rivals_and_far_sizes_beyond():
    found = known()
    near = found.winner(70_000, calls=10**9)  # where their lines cross
    assert {near.variant, *near.rivals} == {"Numba", "Numba, prange"}
    assert found.winner(10**7, calls=10).beyond


def test_right_predictions_are_found_right():
    assert prediction.hits([known()]).value == 1
    assert prediction.right([known()]).value == 1


def test_wrong_predictions_are_found_wrong():
    assert prediction.hits([known(wrong=1.3)]).value == 0
    assert prediction.hits([known(wrong=1.15)]).value == 1


def test_a_wrong_winner_is_found_wrong():
    assert prediction.right([known(C=(1e-9, 1e-12))]).value == 0


def test_winners_that_are_near_the_second_are_no_cases():
    far = dict.fromkeys(STARTS, (1.0, 1.0))
    near = {"NumPy": (1e-5, 1e-9), "C": (1.1e-5, 1.1e-9)}
    found = known(**far | near)
    assert prediction.right([found]).note == "0 of 0"


def test_a_way_that_takes_all_cores_does_not_tell_of_other_numbers():
    found = known()
    assert not found.beyond("Numba, prange", 1000, workers=16)
    assert found.beyond("TensorFlow", 1000, workers=16)
    assert not found.beyond("TensorFlow", 1000, workers=4)


def test_one_core_does_not_tell_of_more():
    assert known(workers=1).beyond("Numba, prange", 1000, workers=4)


def test_a_conversion_that_was_not_measured_rules_a_way_out():
    found = known()
    assert "TensorFlow" in found.ranked(1000, data="own")
    assert "TensorFlow" not in found.ranked(1000, data="arrays")


def test_predictions_tell_which_are_off():
    (row,) = prediction.tests({"polynomial": known(wrong=2.0)})
    assert row["within a fifth"] == "0 of 18"
    assert row["predicted / measured"] == "0.50"


def test_what_starts_with_two_ways_does_not_keep_them_apart():
    found = known()
    asked = {"calls": 10**2}
    best, other = (
        found.cost(way, 3 * 10**5, **asked) for way in ("C", "NumPy")
    )
    apart = found.longer("NumPy", "C", 3 * 10**5, **asked)
    assert apart.value == pytest.approx((other / best).value)
    assert apart.high - apart.low < (other / best).high - (other / best).low


def test_without_imports_a_start_is_the_first_call():
    cost = known().cost("Numba", 10, imports=False)
    assert cost.value == pytest.approx(0.9, rel=1e-3)
