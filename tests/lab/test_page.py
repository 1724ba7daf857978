"""What a chapter puts on its page."""

import pytest

from onthefly import claims, figures, page, results
from onthefly.quantity import Quantity

SLUG = "case-the-update-that-held"  # a page with claims that all can judge


def chart():
    points = {n: Quantity(n / 1e6, n / 2e6, n / 5e5, "s") for n in (10, 100)}
    return figures.lines({"a": points}, x="shots", y="time", time="y")


@pytest.fixture
def chapter(shown):
    """A chapter whose page is a list of HTML texts."""
    book = page.Chapter(SLUG, preset="S")
    book.shown = shown
    return book


def test_a_figure_needs_words(chapter):
    with pytest.raises(ValueError, match="alt and caption"):
        chapter.figure(chart(), "one", alt=" ", caption="c")


def test_a_figure_has_alt_text_data_and_a_file(chapter, tmp_path):
    chapter.figure(chart(), "one", alt='rises "fast"', caption="It rises.")
    text = chapter.shown[-1]
    assert 'aria-label="rises &quot;fast&quot;"' in text
    assert "<figcaption>It rises.</figcaption>" in text
    assert text.count("<tr>") == 3 and "10.0 µs" in text
    assert (tmp_path / "figures" / SLUG / "one.svg").exists()


class Example:
    def method(self):
        """Return one.

        Two lines more than that.
        """
        return 1


def test_a_method_is_shown_as_code_that_can_be_read(chapter):
    chapter.source(Example.method)
    code = chapter.shown[-1].strip("`").removeprefix("python\n").strip()
    assert code == "def method(self):\n    return 1"


def test_a_page_has_one_place_for_a_link_to_each_claim(shown, measured):
    book = page.Chapter(SLUG, device="cpu")
    book.keep(measured.timings["loops"], "loops")
    first, twice, *others = claims.load().of(SLUG)
    book.cannot(twice.id, "not tried")
    book.judge("gil-switch-interval", Quantity.exact(0.005, "s"))
    book.cannot("gil-switch-interval", "once more")
    for claim in [first, *others]:
        book._judged.setdefault(
            claim.id, claims.judge_results(claim, book._results)
        )
    book.close()
    text = "".join(shown)
    for claim in [first, twice, *others]:
        assert text.count(f'id="{page.anchor(claim.id)}"') == 1


def test_what_a_measurement_leaves_open_is_kept_so(chapter):
    chapter.unresolved("gil-switch-interval", "the two ways disagree")
    assert "not resolved" in chapter.shown[-1]
    assert "the two ways disagree" in chapter.shown[-1]
    chapter.cannot("gil-slices-lose-updates", "no clock")
    assert "not measurable here" in chapter.shown[-1]
    kept = results.Results(**vars(chapter._results))
    claim = claims.load().claims["gil-switch-interval"]
    assert claims.judge_results(claim, kept).verdict == claims.UNRESOLVED


def test_a_claim_of_another_chapter_is_refused(chapter):
    with pytest.raises(KeyError, match=f"not of '{SLUG}'"):
        chapter.judge("pi-error-power-law", Quantity.exact(1, ""))


H200 = {"name": "NVIDIA H200", "memory": 2**37, "driver": "580.65.06"}


def test_clocks_held_back_at_the_end_are_shown(gpus, shown, measured):
    gpus({"reasons": 1})
    book = page.Chapter(SLUG, device="cpu")
    for claim in claims.load().of(SLUG):
        book.cannot(claim.id, "not tried")
    book.keep(measured.timings["loops"], "loops")
    gpus({"reasons": 4, "sm": 1200})
    book.close()
    assert "H200 at 1200 MHz, held back: power limit." in shown[-1]
    kept = results.find(SLUG)[book.machine["slug"]].machine["gpus"][0]
    assert kept["before"]["held_back"] == ["idle"]
    assert kept["after"]["held_back"] == ["power limit"]
    assert page.held_back({"gpus": [H200]}) == ""
    assert page.held_back({"gpus": [H200 | {"after": kept["before"]}]}) == ""


def test_close_refuses_a_claim_left_open(chapter, tmp_path):
    with pytest.raises(ValueError, match="was not judged"):
        chapter.close()
    assert not list(tmp_path.glob("results/*/*"))


def test_recorded_rows_name_their_machine(chapter, measured, monkeypatch):
    rows = [{"v": "1", "n": "5 of 5"}, {"v": "2", "n": "0 of 5"}]
    measured.tables = {"loss": rows}
    monkeypatch.setattr(results, "recorded", lambda slug: [measured])
    chapter.table("loss", [{"v": "1", "n": "4 of 4"}], "Loss")
    chapter.recorded("loss", "v")
    line, table = chapter.shown[-2:]
    assert "Recorded, not measured in this run" in line
    assert measured.machine["slug"] in line
    assert measured.machine["time"][:10] in line
    assert "0 of 5" in table and "5 of 5" not in table
    chapter.table("loss", rows, "Loss")
    chapter.recorded("loss", "v")
    assert "No recorded result adds" in chapter.shown[-1]


def test_pick_takes_the_nearest_smaller_preset(chapter):
    assert chapter.pick(S=1, L=3) == 1
    chapter.preset = "M"
    assert chapter.pick(S=1, L=3) == 1
    chapter.preset = "talk"
    assert chapter.pick(S=1, L=3) == 3
    chapter.preset = "XS"
    assert chapter.pick(S=1, L=3) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"preset": "XL"}, "choose one of XS, S, M, L, talk"),
        ({"device": "tpu"}, "one of"),
    ],
)
def test_a_chapter_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        page.Chapter("first-benchmark", **arguments)


def test_an_unknown_chapter_is_refused():
    with pytest.raises(ValueError, match=r"'nope' is not in .*claims\.yml"):
        page.Chapter("nope")
