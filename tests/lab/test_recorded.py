"""Numbers that this run did not measure: recorded ones, and the example."""

import dataclasses

import pytest

from onthefly import claims, figures, machine, models, page, results
from onthefly.errors import UserError
from onthefly.quantity import EXAMPLE, Quantity
from onthefly.timings import Series, Timings

CHAPTER, CLAIM = "numba-cuda", "numba-cuda-against-python"


def timings(fast=0.01, slow=1.0):
    """Return Timings of two candidates at two sizes, without noise."""
    return Timings(
        Series(name, n, first=t, values=(n * t,) * 8)
        for name, t in (("slow", slow), ("fast", fast))
        for n in (10, 20)
    )


def record(name, times, day="2026-01-02", quantity=None):
    """Record `times` as another machine's; return the path."""
    about = {**machine.record(), "slug": name, "time": f"{day}T00:00:00"}
    recorded = results.Results(
        CHAPTER, "L", timings={"ways": times}, machine=about
    )
    if quantity:
        recorded.quantities[CLAIM] = quantity
    return results.save(recorded, results.RECORDED)


@pytest.fixture
def book(shown, archive):
    """A GPU chapter in a run without one; its page is a list of texts."""
    chapter = page.Chapter(CHAPTER, device="cpu")
    chapter.shown = shown
    return chapter


def borrowed(book):
    """Return what the chapter gets for the group that it cannot measure."""
    return book.measured_or_recorded("ways", lambda: 1 / 0)


def test_what_can_be_measured_is_measured_and_kept(book):
    book.cuda = True
    times = book.measured_or_recorded("ways", timings)
    assert times.origin == ""
    assert times.ratio("slow", "fast", 10).short == "100×"
    assert book._results.timings == {"ways": times}
    assert "measurement" not in "".join(book.shown)


def test_the_last_machine_that_recorded_the_group_is_named(book):
    record("old", timings(0.5), "2025-01-01")
    record("newest", timings(0.01), "2026-03-04")
    record("newer", timings(0.1), "2026-01-02")
    times = borrowed(book)
    line, table = book.shown[-2:]
    assert times.origin == "newest, 2026-03-04, preset L"
    assert times.origin in line and "20.0 s (recorded)" in table
    assert str(times.ratio("slow", "fast", 10)) == "100× (recorded)"


def each(origins):
    return {o: Quantity(1, 1, 1, "s", origin=o) for o in origins}


SIZES = (10, 20, 30)
DRAWN = {
    "bars": lambda q: figures.bars(q, x="x"),
    "a fit": lambda q: figures.lines(
        {"a": {n: q[""] for n in SIZES}},
        x="x",
        y="y",
        fits={k: models.line(SIZES, [v] * 3) for k, v in q.items()},
    ),
}


@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)
def test_no_example_stands_beside_a_measurement(draw):
    assert draw(each(["", "box"])).origin == "box"
    for other in ([""], ["", "box"]):
        with pytest.raises(UserError, match="example"):
            draw(each([*other, EXAMPLE]))


def test_a_group_that_is_nowhere_names_the_repair(book):
    with pytest.raises(UserError, match=r"no group 'nope'.*laws\.yml"):
        book.measured_or_recorded("nope", timings)


EXPECT = {"rule": "near", "value": 1160, "unit": "×"}


@pytest.fixture
def expecting(monkeypatch):
    """The claim as the ledger will hold it once its chapter is written."""
    ledger = claims.load()
    claim = dataclasses.replace(ledger.claims[CLAIM], expect=EXPECT)
    monkeypatch.setitem(ledger.claims, CLAIM, claim)
    return claim


def test_the_example_judges_nothing(book, expecting):
    ratio = borrowed(book).ratio("slow", "fast", 10)
    book.judge(CLAIM, ratio)
    assert book._results.quantities == {}
    verdict = book._judged[CLAIM]
    assert verdict.verdict == claims.UNMEASURED and not verdict.quantity
    assert "not measured" in verdict.reason
    assert "example" not in book.shown[-1] and "11" not in verdict.reason
    with pytest.raises(ValueError, match="not a measurement"):
        claims.judge(expecting, ratio)


def test_a_recorded_verdict_is_shown_under_its_machine(book, expecting):
    quantity = Quantity(1200, 1190, 1210, "×")
    record("box", timings(), quantity=quantity)
    book.judge(CLAIM, borrowed(book).ratio("slow", "fast", 10))
    verdict = book._judged[CLAIM]
    assert verdict.verdict == claims.UNMEASURED and not verdict.quantity
    said = "recorded on box, 2026-01-02, preset L: 1200× (1190 to 1210)"
    assert f"{said}, reproduced" in verdict.reason
    assert said in book.shown[-1]
    assert book._results.quantities == {}


def test_an_example_among_the_machines_is_refused(archive):
    example = results.load(archive / "examples" / f"{CHAPTER}.json", True)
    with pytest.raises(UserError, match="not a measurement"):
        results.save(example, archive / "recorded")
    assert not (archive / "recorded").exists()
    stray = archive / "recorded" / "box" / f"{CHAPTER}.json"
    stray.parent.mkdir(parents=True)
    stray.write_text((archive / "examples" / stray.name).read_text())
    with pytest.raises(UserError) as caught:
        results.recorded(CHAPTER)
    assert str(caught.value) == f"{stray}: {EXAMPLE}; remove it from there"
