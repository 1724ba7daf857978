"""Numbers that this run did not measure: recorded ones, and the example."""

import dataclasses

import pytest

from onthefly import claims, data, figures, machine, models, page
from onthefly.errors import UserError
from onthefly.quantity import EXAMPLE, Quantity
from onthefly.samples import Samples, Series

CHAPTER, CLAIM = "numba-cuda", "numba-cuda-against-python"


def samples(fast=0.01, slow=1.0):
    """Return Samples of two candidates at two sizes, without noise."""
    return Samples(
        Series(name, n, first=t, values=(n * t,) * 8)
        for name, t in (("slow", slow), ("fast", fast))
        for n in (10, 20)
    )


def record(name, times, day="2026-01-02"):
    """Record `times` as another machine's."""
    about = {**machine.record(), "slug": name, "time": f"{day}T00:00:00"}
    own = data.Data(CHAPTER, "L", machine=about)
    own.add("ways", {}, times)
    data.save(own, data.RECORDED / name / f"{CHAPTER}.json")


@pytest.fixture
def book(shown, archive):
    """A GPU chapter in a run without one; its page is a list of texts."""
    chapter = page.Chapter(CHAPTER, device="cpu")
    chapter.shown = shown
    return chapter


def borrowed(book):
    """Return what the chapter gets for the group that it cannot measure."""
    return book.collect("ways", lambda: 1 / 0, here=False)


def test_what_can_be_measured_is_measured_and_kept(book):
    times = book.collect("ways", samples)
    assert times.origin == ""
    assert times.ratio("slow", "fast", 10).short == "100×"
    assert times.seconds("fast", 10).groups == {"ways"}
    assert book.timings == {"ways": times}
    assert "measured by" not in "".join(book.shown)


def test_the_last_machine_that_recorded_the_group_is_named(book):
    record("old", samples(0.5), "2025-01-01")
    record("newest", samples(0.01), "2026-03-04")
    record("newer", samples(0.1), "2026-01-02")
    times = borrowed(book)
    *_, line, _, table = book.shown
    assert times.origin == "newest, 2026-03-04, preset L"
    assert times.origin in line and "20.0 s (recorded)" in table
    assert str(times.ratio("slow", "fast", 10)) == "100× (recorded)"


def test_rows_of_a_look_that_only_others_have_say_whose_they_are(book):
    about = {**machine.record(), "slug": "box"}
    own = data.Data(CHAPTER, "L", machine=about)
    own.look("builds", {}, [{"python": "3.6", "n": 1}, {"python": "3.9"}])
    data.save(own, data.RECORDED / "box" / f"{CHAPTER}.json")
    rows = book.look("builds", lambda: [{"python": "3.9"}], by=("python",))
    assert rows[0] == {"python": "3.9"} and len(rows) == 2
    assert rows[1]["python"] == "3.6" and "box" in rows[1]["recorded"]
    assert book.known("bui") == ["builds"]


def test_a_page_told_from_a_record_judges_as_that_machine(shown, archive):
    record("box", samples())
    told = page.Chapter(CHAPTER, data="box")
    assert told.preset == "L" and told.machine["slug"] == "box"
    times = told.collect("ways", lambda: 1 / 0)
    assert times.origin == "" and "Recorded on box" in shown[0]
    assert not told.cuda


def test_a_table_of_examples_is_one_line_and_not_kept(book):
    times = borrowed(book)
    rows = [
        {"way": name, "time": times.seconds(name, 10), "doubt": ""}
        for name in times.names
    ]
    book.table("ways", rows, "Time of each way")
    assert "Time of each way" in book.shown[-1]
    assert "<table" not in book.shown[-1] and not book._results.tables
    book.table("ways", [{**r, "size": 10} for r in rows], "Time of each way")
    assert "<table" in book.shown[-1] and "ways" in book._results.tables


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
    assert verdict.reason == "needs a CUDA device"
    assert "example" not in book.shown[-1] and "11" not in verdict.reason
    with pytest.raises(ValueError, match="not a measurement"):
        claims.judge(expecting, ratio)


def test_the_example_is_no_machine(book, archive):
    borrowed(book)
    assert data.machines() == [] and data.recorded(CHAPTER) == []
