"""The pages on choosing, from results alone."""

import re

import pytest

from cases import eight_problems, keep, measured_problems
from onthefly.predict import kinds, measurements, prediction, tree
from rendering import cheat_sheet, which_one
from rendering.choice import questions, tested
from rendering.copy import Copy


@pytest.fixture
def copy(archive):
    """A copy whose machine, the box, has recorded results."""
    keep(eight_problems(), recorded=True)
    return Copy({})


def own(**options):
    return prediction.choices(measured_problems(**options))


def test_the_page_has_tree_and_calculator(copy):
    text = which_one.page(copy)
    assert text.count("<li>") == len(tree.QUESTIONS) + 1
    assert 'data-choices="words"' in text and "{" not in re.sub(
        r"\{(ref|raw)\}|```.*?```", "", text, flags=re.S
    )


def test_the_cheat_sheet_has_each_leaf_and_the_costs(copy):
    text = cheat_sheet.page(copy)
    assert text.count("<th scope='row'>") == len(tree.QUESTIONS) + 1
    assert "What it costs" not in text  # nobody has measured it
    assert len(cheat_sheet.SYMPTOMS) == len(tree.QUESTIONS) + 1


@pytest.mark.parametrize(
    "page", [which_one.page, which_one.predictions, cheat_sheet.page]
)
def test_a_copy_that_cannot_say_says_so(archive, page):
    assert "cannot say" in page(Copy({}))


@pytest.mark.parametrize(("off", "met"), [(1.0, None), (1.5, False)])
def test_the_test_is_shown_also_when_it_fails(archive, off, met):
    keep(eight_problems(off=off), recorded=True)
    every = own(off=off)
    share = prediction.hits(every.values()).note
    assert f"{share} (" in which_one.predictions(Copy({}))
    values = tested.values(every, kinds.kinds(every, {}))
    assert values["near_aim"]["met"] is met
    said = "missed" if met is False else "not decided"
    assert "warm calls" in values["said"][said]


def test_a_kind_that_was_not_tested_is_said_to_be_so(copy):
    text = which_one.predictions(copy)
    assert "**Not tested**: other numbers of cores. This machine has" in text
    assert text.count("<td>not tested</td>") == 3  # the laws have one start


def test_a_leaf_that_was_not_measured_has_no_gain():
    """The laws know none of the leaves' methods; the record knows all."""
    assert "<strong>" not in questions.drawn(own())
    machines = measurements.usable()
    every = prediction.choices(machines["amd-epyc-2c"])
    leaves = len(tree.QUESTIONS) + 1
    assert questions.drawn(every).count("<strong>") == leaves


def test_what_the_tree_advises_gains_on_the_recorded_machine():
    """Its words are of the methods that the record bears out."""
    machines = measurements.usable()
    every = prediction.choices(machines["amd-epyc-2c"])
    for leaf in [one.yes for one in tree.QUESTIONS] + [tree.OTHERWISE]:
        if leaf.problem != "words":  # of which it says to expect little
            assert tree.gain(every, leaf) > 1, leaf
    words = every["words"]
    assert prediction.gain_at(words, "Numba", tree.CALL_S) < 1
    assert prediction.gain_at(words, "C", tree.CALL_S) > 1
    for name in ("stencil", "filter"):
        routine, compiled = (
            prediction.gain_at(every[name], method, tree.CALL_S)
            for method in ("routine", "Numba")
        )
        assert compiled / routine > 1
    uneven = every["collatz"]
    arrays, loop = (
        prediction.gain_at(uneven, name, tree.CALL_S)
        for name in ("NumPy", "Numba")
    )
    assert loop / arrays > 2
    near = every["polynomial"]
    short, long = (
        prediction.gain_at(near, "Numba", seconds)
        / prediction.gain_at(near, "Numba, prange", seconds)
        for seconds in (1e-4, 1e-1)
    )
    assert short > 1 and not long > 1


@pytest.mark.parametrize("seconds", [2e-5, 1e-3, 0.2])
def test_the_size_at_which_a_call_takes_so_long(seconds):
    curve = own()["polynomial"].costs["Python"].all_
    size = prediction.size_of(curve, seconds)
    assert curve.at(size).value == pytest.approx(seconds, rel=0.06)
