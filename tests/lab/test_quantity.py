"""The one arithmetic: intervals that cover, marks that survive."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onthefly import figures
from onthefly.measure import models
from onthefly.measure import quantity as quantity_module
from onthefly.measure.quantity import Quantity, Rounds
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings

RUNS = 2000
COVER = 0.945  # of the runs, at least, the interval holds the truth


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (Quantity(0.00192, 0.0019, 0.002, "s"), "1.92 ms (1.90 to 2.00)"),
        (Quantity(1.84, 1.8, 1.9, "×"), "1.84× (1.80 to 1.90)"),
        (Quantity(3354.2, 3204, 3486, "×"), "3350× (3200 to 3490)"),
        (Quantity.exact(3354), "3354"),
        (Quantity.exact(0.5, "%"), "50.0 %"),
        (Quantity(-0.5, -0.52, -0.48), "−0.500 (−0.520 to −0.480)"),
        (Quantity(1e-12, 0.0, 5e-5, "s"), "0 µs (0 to 50.0)"),
        (
            Quantity(0.1, 0.0001, 170, "s"),
            "0.100 s (1.00e\N{MINUS SIGN}4 to 170)",
        ),
        (Quantity(2.0, 1.0, math.inf, "×"), "2.00× (1.00 or more)"),
        (Quantity(2.0, -math.inf, math.inf, "×"), "2.00× (one reading)"),
        (Quantity.median([2.0], run=1), "2.00 s (one reading)"),
        (Quantity.median([2.0, 3.0], run=1), "2.50 s (too few samples)"),
        (Quantity.median([2.0] * 8), "2.00 s"),  # all alike
        (Quantity.exact(-0.0), "0"),
    ],
)
def test_quantity_as_text(quantity, text):
    assert str(quantity) == text


def test_a_ratio_of_times_says_slower_or_faster():
    assert str(Quantity(1.8, 1.6, 2, "×").as_time).endswith("slower than")
    assert str(Quantity(0.5, 0.4, 0.6, "×").as_time).endswith("as fast as")
    assert str(Quantity(1.01, 0.98, 1.03, "×").as_time) == "as fast as"


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (Quantity(3.54, 3.5, 3.6, "×"), "3.5×"),
        (Quantity(1.239, 1.2, 1.3, "×"), "1.24×"),
        (Quantity(0.703, 0.6, 0.8, "%"), "70 %"),
        (Quantity(0.000127, 0.0001, 0.0002, "s"), "127 µs"),
        (Quantity(0.000284, 0.0002, 0.0003, "s"), "280 µs"),
        (Quantity(0.997, 0.9, 1.1, "×"), "1.0×"),
        (Quantity.exact(4321), "4321"),
        (Quantity(28, 27, 29, "s", origin="box"), "28 s (recorded)"),
    ],
)
def test_a_number_in_a_sentence_has_two_digits(quantity, text):
    assert f"{quantity.about}" == str(quantity.about) == text


def test_a_number_and_its_interval_in_few_digits():
    assert Quantity(2.286, 1.79, 13.2, "s").rounded(2) == (
        "2.3 s",
        "1.8 to 13",
    )
    assert Quantity.exact(1, "×").rounded(2) == ("1.0×", "")


def test_its_interval_and_whose_it_is_are_there_on_request(monkeypatch):
    monkeypatch.setattr(quantity_module, "page_origin", "this box, today")
    shown = Quantity(3.54, 3.5, 3.6, "×").about._repr_html_()
    assert ">3.5×<" in shown and 'tabindex="0"' in shown
    assert shown.count("3.50 to 3.60; this box, today") == 2
    other = Quantity(3.54, 3.5, 3.6, "×", origin="box <1>").about
    assert "box &lt;1&gt;" in other._repr_html_()


def test_share_interval_is_exact():
    share = Quantity.share(0, 20)
    assert share.value == 0 and share.low == 0
    assert share.high == pytest.approx(0.1684, abs=1e-4)  # Clopper-Pearson


def test_a_median_of_too_few_has_no_interval():
    assert not math.isfinite(Quantity.median([1.0] * 5).low)
    assert math.isfinite(Quantity.median([1.0] * 6).low)


# --- do the intervals cover? -----------------------------------------------


def spiked(rng, truth, rounds):
    """Return the samples of a busy machine, whose median is `truth`.

    They scatter by 5 %; a tenth of them is a spike up to several times as
    long, and another tenth ran while the processor was faster than usual.
    """
    noise = np.exp(rng.normal(0, 0.05, rounds))
    kind = rng.random(rounds)
    noise[kind < 0.1] = 1 + rng.exponential(1, np.sum(kind < 0.1))
    noise[kind > 0.9] = 1 / (1 + rng.exponential(0.2, np.sum(kind > 0.9)))
    return truth * noise


def drifting(rng, rounds):
    """Return how slow a machine is in each round: it wanders, and jumps."""
    steps = rng.normal(0, 0.03, rounds)
    steps[rounds // 2] += rng.choice([0, math.log(1.5)])
    return np.exp(np.cumsum(steps))


def taken(rng, truths, rounds, drift):
    """Return Quantities of seconds measured in the same rounds."""
    run, slow = object(), drift(rng, rounds)
    return [
        Quantity.median(spiked(rng, truth, rounds) * slow, "s", run)
        for truth in truths
    ]


def steady(_, rounds):
    return np.ones(rounds)


@pytest.mark.parametrize("rounds", [6, 20])
@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize(
    ("combine", "truth", "drift"),
    [
        (lambda a, b: a / b, 3.0, drifting),
        (lambda a, b: b / (a + b), 1 / 4, drifting),
        (lambda a, b: a - b, 2.0, steady),
    ],
    ids=["ratio", "share", "difference"],
)
def test_intervals_cover(combine, truth, drift, paired, rounds):
    """Of what was measured in the same rounds, and in others."""
    rng, hits = np.random.default_rng(rounds), 0
    for _ in range(RUNS):
        if paired:
            a, b = taken(rng, (3.0, 1.0), rounds, drift)
        else:
            a, b = (taken(rng, [t], rounds, steady)[0] for t in (3.0, 1.0))
        result = combine(a, b)
        hits += result.low <= truth <= result.high
    assert hits >= COVER * RUNS


# --- the arithmetic --------------------------------------------------------

NUMBER = st.floats(0.1, 1e6)


def quantity(value, unit="s", **marks):
    return Quantity(value, 0.9 * value, 1.2 * value, unit, **marks)


@given(value=NUMBER, factor=st.floats(1e-6, 1e3) | st.floats(-1e3, -1e-6))
def test_a_plain_number_scales_the_ends(value, factor):
    q = quantity(value) * factor
    assert q.low <= q.value <= q.high and q.unit == "s"
    assert q.value == pytest.approx(value * factor)
    back = q / factor
    assert (back.low, back.high) == pytest.approx((0.9 * value, 1.2 * value))
    shifted = q - factor
    assert shifted.high - shifted.low == pytest.approx(q.high - q.low)
    turned = factor - q
    assert turned.value == pytest.approx(factor - value * factor)


@given(a=NUMBER, b=NUMBER)
def test_the_value_is_what_the_operation_gives(a, b):
    one, other = quantity(a), quantity(b)
    assert (one + other).value == pytest.approx(a + b)
    assert (one - other).value == pytest.approx(a - b)
    assert (one / other).value == pytest.approx(a / b)
    assert (one / other).unit == "×" and (one + other).unit == "s"
    assert (1 / one).value == pytest.approx(1 / a)


def test_units():
    seconds, ratio = quantity(2.0), quantity(3.0, "×")
    joules, share = quantity(4.0, "J"), quantity(0.5, "%")
    assert (seconds * ratio).unit == (ratio * seconds).unit == "s"
    assert (seconds * share).unit == (seconds / share).unit == "s"
    assert (joules / seconds).unit == "J/s"
    assert (1e9 / seconds).unit == "1/s"
    assert (1e9 / seconds).named("GB/s").unit == "GB/s"
    with pytest.raises(ValueError, match="add of 's' and 'J'"):
        seconds + joules


UNSURE = Quantity(0.1, -0.1, 0.3, "s")
FREE = Quantity(1.0, -math.inf, math.inf, "s")


@pytest.mark.parametrize(
    "unbounded",
    [quantity(1.0) / UNSURE, 1 / UNSURE, quantity(1.0) / quantity(0.0),
     FREE + quantity(1.0), FREE / quantity(1.0), 2 * FREE],
)  # fmt: skip
def test_a_divisor_that_may_be_zero_and_unknown_ends_bound_nothing(unbounded):
    assert (unbounded.low, unbounded.high) == (-math.inf, math.inf)


def test_a_number_kept_within_bounds():
    q = Quantity(1.1, 0.9, 1.3, "%", "noisy").within(0, 1)
    assert (q.value, q.low, q.high, q.note) == (1, 0.9, 1, "noisy")


# --- comparisons -----------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "holds"), [(1.1, 1.3, True), (0.9, 1.3, None),
                               (0.7, 0.9, False), (1.0, 1.0, False)]
)  # fmt: skip
def test_the_interval_decides_a_comparison(low, high, holds):
    above = Quantity((low + high) / 2, low, high, "×") > 1
    assert above.holds is holds and bool(above) == (holds is True)
    mirrored = Quantity(-(low + high) / 2, -high, -low, "×") < -1
    assert mirrored.holds is holds


def test_what_several_sessions_decide_counts_as_decided():
    low = Quantity.of_rounds(Rounds(None, ((1.0,) * 8, (1.1,) * 8)))
    far = Quantity.of_rounds(Rounds(None, ((90.0,) * 8, (91.0,) * 8)))
    assert (low < far).holds is True and low < far
    assert (low > far).holds is False and not low > far


def test_of_several_sessions_a_comparison_says_what_the_ratio_says():
    """A slow session of one of two is no doubt which of them is ahead."""
    here, there = (
        Quantity.of_rounds(Rounds("run", tuple((x,) * 8 for x in sessions)))
        for sessions in ((0.37, 0.53, 0.43, 0.53), (114.0, 26.0, 25.0, 29.0))
    )
    assert (there / here).low > 1 and (there - here).low < 0
    assert (there > here).holds is True and (here < there).holds is True
    assert (there < here).holds is False and (here > there).holds is False
    assert (there - 100 > here).holds is None


def test_several_sessions_cover_what_they_disagree_on():
    rounds = Rounds("run", ((1.0,) * 8, (1.2,) * 8, (1.1,) * 8))
    q = Quantity.of_rounds(rounds)
    assert q.value == pytest.approx((1.2 * 1.1) ** (1 / 3))
    assert q.low < 0.9 and q.high > 1.3  # Student's, of three medians
    half = q / Quantity.of_rounds(Rounds("run", ((2.0,) * 8,) * 3))
    assert half.low == pytest.approx(q.low / 2)
    turned = Quantity.of_rounds(Rounds("run", ((2.0,) * 8,) * 3)) / q
    assert turned.high == pytest.approx(1 / half.low)  # whichever is above


def test_in_how_few_sessions_it_was_taken_is_kept():
    three = Quantity.of_rounds(Rounds("run", ((1.0,) * 8,) * 3))
    two = Quantity.of_rounds(Rounds("another", ((2.0, 2.1) * 4,) * 2))
    assert (three / two * 5).sessions == (two - three).sessions == 2
    assert (three / Quantity.exact(2)).named("%").within(0, 1).sessions == 3
    assert Quantity.share(3, 4).sessions == 0


def test_no_time_is_below_zero_however_sessions_disagree():
    sessions = (0.01,) * 8, (0.04,) * 8, (0.07,) * 8
    far = Quantity.of_rounds(Rounds("run", sessions))
    assert 0 < far.low < 0.01 and far.high > 0.1
    none = Quantity.of_rounds(Rounds("run", ((0.0,) * 8, *sessions[1:])))
    other = Quantity.of_rounds(Rounds("another", ((1.0,) * 8, (3.0,) * 8)))
    assert none.low == (none * other).low == 0
    assert (other / none).low == -math.inf  # a divisor that may be 0
    assert (far - other).low < 0


def test_a_difference_may_be_below_zero_whatever_its_samples():
    slow = Quantity.of_rounds(Rounds("run", ((1.1,) * 8, (2.0,) * 8)))
    fast = Quantity.of_rounds(Rounds("run", ((1.0,) * 8, (1.0,) * 8)))
    assert (slow - fast).low < 0 and (slow - 1).low < 0
    assert (slow > fast).holds is None and (slow < fast).holds is None
    assert ((slow - fast) / fast).low < 0 and ((slow - 1) / fast).low < 0


def beside(values, least):
    """Return a Quantity that others may have moved, down to `least`."""
    return Quantity.of_rounds(Rounds("run", (values,), (least,)))


def test_a_neighbour_widens_an_interval_and_may_decide_nothing_away():
    slow = beside((3.0,) * 8, (2.0,) * 8)
    fast = beside((1.0,) * 8, (1.0,) * 8)
    gain = slow / fast
    assert (gain.value, gain.low, gain.high) == (3.0, 2.0, 3.0)
    assert (gain > 1.5).holds and (gain > 2.5).holds is None
    assert (3 * gain - 1).low == 5 and (slow - fast).low == 1
    assert (1 / gain).high == 0.5 and (-gain).high == -2


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        ((7.4, 7.2, 7.6), "7.4 times as fast as"),
        ((0.5, 0.4, 0.8), "2.0 times slower than"),
        ((1.0, 0.97, 1.04), "as fast as"),
        ((1.1, 0.8, 1.3), "0.80 to 1.30 times as fast as"),
        ((2, 2, 2), "2.0 times as fast as"),
    ],
)
def test_a_ratio_reads_as_a_person_says_it(gain, words):
    assert str(Quantity(*gain, "×").as_speed) == words
    marked = Quantity(*gain, "×", origin="box").as_speed
    assert "recorded" in str(marked)


def test_comparisons_left_open_bound_the_share_that_holds():
    one, wide = Quantity.exact(1.0), Quantity(1.0, 0.5, 1.5)
    share = Quantity.held([one > 0, one > 2, wide > 1])
    assert (share.value, share.low, share.high) == (1 / 3, 1 / 3, 2 / 3)
    assert share.unit == "%" and share.note == "1 of 3, 1 not resolved"
    share = Quantity.held([one > 2], unmeasured=1)
    assert (share.value, share.low, share.high) == (0, 0, 1 / 2)
    assert share.note == "0 of 2, 1 not measured"
    other = dataclasses.replace(one, origin="box")
    assert Quantity.held([other > 0]).origin == "box"
    with pytest.raises(ValueError, match="no comparisons"):
        Quantity.held([])


def test_paired_rounds_are_compared_round_by_round():
    run, drift = object(), np.geomspace(1, 5, 12)
    slow, fast = (Quantity.median(k * drift, "s", run) for k in (1.1, 1.0))
    assert slow.low < fast.high  # unpaired, it would be left open
    assert (slow > fast).holds is True


# --- marks -----------------------------------------------------------------


@pytest.mark.parametrize(("origin", "word"), [("box", "recorded)")])
@pytest.mark.parametrize(
    "operation",
    [
        lambda q, r: r - q,
        lambda q, r: q / r,
        lambda q, r: 2 / q,
        lambda q, r: q.within(0, 1),
        lambda q, r: q.named("%"),
        lambda q, r: models.line([1, 2, 3], [r, q, r]).at(10),
    ],
)
def test_a_mark_survives_every_operation(operation, origin, word):
    mine = Series("a", None, None, (1.0, 2.0, 3.0, 2.0, 1.0, 2.0))
    q = Timings([mine], origin=origin).seconds("a")
    for other in (q, quantity(2.0)):  # paired, and not
        marked = operation(q, other)
        assert marked.origin == origin
        for text in (str(marked), marked.short, marked.worded("about one")):
            assert text.endswith(word)
        assert figures.bars({"a": marked}, x="x").origin == origin
        assert word in str(marked > -1)


def test_doubts_add_up_once():
    noisy = quantity(1.0, note="spread 20%", disturbed=0.2)
    sum_ = noisy / noisy + noisy / quantity(2.0, note="load 3")
    assert sum_.note == "spread 20%; load 3" and sum_.disturbed == 0.2


def test_of_several_spreads_the_largest_is_told():
    several = [quantity(1.0, note=f"spread {n}%") for n in (13, 87, 20)]
    several.append(quantity(1.0, note="load 3"))
    assert sum(several[1:], several[0]).note == "spread up to 87%; load 3"
    pair = quantity(1.0, note="spread up to 87%") / several[0]
    assert pair.note == "spread up to 87%"
