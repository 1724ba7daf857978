"""The page "Which one should I choose?", from results alone."""

import html
import re

import pytest

from cases import eight_problems, keep, measured_problems
from onthefly.experiments.choice.reasons import REASONS
from onthefly.measure.models import Curve
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings
from onthefly.predict import decisive, prediction
from rendering import which_one
from rendering.choice import (
    examples,
    tested,
    winner_map,
)

STAMPS = {
    "measuring/eight_problems": {
        "chapter": "eight-problems",
        "machine": "box",
    }
}


@pytest.fixture
def copy(archive):
    """A function that keeps results as this copy's."""

    def make(**options):
        keep(eight_problems(**options))
        return which_one.page(STAMPS)

    return make


def own(**options):
    return prediction.choices(measured_problems(**options))


def cells(text):
    """Return the tiles of a map as {(row, column): text}."""
    rows = re.findall(r"<tr>(.*?)</tr>", text, re.S)
    head, *body = (
        [
            html.unescape(re.sub(r"<[^>]+>", " ", cell)).split()
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
        ]
        for row in rows
    )
    return {
        (" ".join(size), " ".join(name)): " ".join(cell)
        for size, *line in body
        for name, cell in zip(head[1:], line, strict=True)
    }


def test_what_another_machine_recorded_is_said_to_be_its(archive):
    keep(eight_problems("other"), recorded=True)
    text = which_one.page({})
    assert "Recorded, not measured in this copy" in text and "other" in text
    assert "{ref}`eight-problems`" not in text  # which is not in this copy


@pytest.mark.parametrize(("loop", "shown"), [(1.5, True), (3.0, False)])
def test_a_reason_that_the_data_deny_is_not_shown(loop, shown):
    times = Timings(
        Series(name, None, None, (seconds,) * 6)
        for name, seconds in (("loop", loop), ("copy", 1.0))
    )
    assert bool(which_one.because(REASONS["polynomial"], times)) == shown


def test_the_page_has_its_parts_and_their_targets(copy):
    text = copy()
    for label in ("which-one", "which-one-loop", "which-one-call"):
        assert f"({label})=" in text
    for name in ("polynomial", "words"):
        assert f"regions-{name}" in text
    assert 'data-choices="words"' in text and "{" not in re.sub(
        r"\{(ref|raw|admonition)\}|```.*?```|\$\$.*?\$\$|\$[^$]*\$",
        "", text, flags=re.S,
    )  # fmt: skip


@pytest.mark.parametrize(("off", "met"), [(1.0, None), (1.5, False)])
def test_the_test_is_shown_also_when_it_fails(copy, off, met):
    text = copy(off=off)
    every = own(off=off)
    share = prediction.hits(every.values()).note
    assert f"{share} (" in text
    assert tested.values(every)["near_aim"]["met"] is met


def test_a_tile_names_winner_gain_and_cause():
    every = {"box": own()}
    tiles = cells(winner_map.tables(every, "box", "polynomial"))
    best = every["box"]["polynomial"].winner(
        10**5, calls=1000, workers=2, device=False
    )
    tile = tiles["100,000", "1,000 calls"]
    assert tile.startswith(f"NumPy {best.gain.short} {best.gain.interval};")
    choices = every["box"]["polynomial"]
    options = {"calls": 1000, "workers": 2}
    assert tile.endswith(decisive.part(choices, best, 10**5, **options))
    assert tiles["10", "1 call"].startswith(choices.winner(10).variant)


YES, NO, OPEN = (1e-3, 1e-6, 1e-9), (4, 1e-3, 1e-9), (0.1, 1.5e-5, 1e-9)


@pytest.mark.parametrize(
    ("laws", "answer"),
    [
        ([OPEN], "not resolved here: run at M"),
        ([NO, NO, OPEN], "No, whichever"),
        ([YES, YES, OPEN], "Yes, whichever"),
        ([YES, NO, OPEN], "depends"),
    ],
)
def test_what_is_left_open_is_neither_yes_nor_no(laws, answer):
    every = {
        str(k): own(TensorFlow=law)["polynomial"]
        for k, law in enumerate(laws)
    }
    text = examples.call(every)["verdict"]
    assert answer in text
    assert ("as far as" in text) == ("whichever" in text)


@pytest.mark.parametrize(
    ("seconds", "size"), [(2e-5, 10), (2.5e-4, None), (5e-4, 200), (1, None)]
)
def test_the_size_at_which_a_call_takes_so_long(seconds, size):
    curve = Curve(((100, 1e-5, 1e-6), (float("inf"), 1e-4, 2e-6)), 0.1, 1e3)
    assert examples.size_of(curve, seconds) == size
