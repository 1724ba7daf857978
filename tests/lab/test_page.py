"""What a chapter puts on its page."""

import dataclasses

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


def test_a_page_has_one_place_for_a_link_to_each_claim(shown, loops):
    book = page.Chapter(SLUG, device="cpu")
    book.collect("loops", lambda: loops)
    own = claims.load().of(SLUG)
    book.judge("gil-switch-interval", Quantity.exact(0.005, "s"))
    for claim in own:
        book.cannot(claim.id, "not tried")
    book.close()
    text = "".join(shown)
    for claim in own:
        assert text.count(f'id="{page.anchor(claim.id)}"') == 1


def test_a_card_left_open_says_what_a_recorded_run_found(
    chapter, tmp_path, monkeypatch
):
    id = "gil-switch-interval"
    monkeypatch.setattr(results, "RECORDED", tmp_path / "recorded")
    old = results.Results(
        SLUG, "M", quantities={id: Quantity.exact(0.005, "s")}
    )
    results.save(old, results.RECORDED)
    chapter.judge(id, Quantity(0.005, 0.004, 0.006, "s"))
    assert "recorded on" not in chapter.shown[-1]
    chapter.judge(id, Quantity(0.004, 0.002, 0.006, "s"))
    assert "not resolved" in chapter.shown[-1]
    assert "5.00 ms, reproduced" in chapter.shown[-1]


@pytest.mark.parametrize(
    "part, said",
    [("whole", "; whole of it; "), ("half: the gain", "; half: the gain; ")],
)
def test_a_card_says_which_part_was_judged(part, said):
    claim = claims.load().of(SLUG)[0]
    other = dataclasses.replace(claim, reading=claim.reading | {"part": part})
    assert said in page._judged_by(other)


def test_a_claim_of_another_chapter_is_refused(chapter):
    with pytest.raises(KeyError, match=f"not of '{SLUG}'"):
        chapter.judge("pi-error-power-law", Quantity.exact(1, ""))


def test_clocks_held_back_at_the_end_are_shown(gpus, shown, loops):
    gpus({"reasons": 1})
    book = page.Chapter(SLUG, device="cpu")
    for claim in claims.load().of(SLUG):
        book.cannot(claim.id, "not tried")
    book.collect("loops", lambda: loops)
    gpus({"reasons": 4, "sm": 1200})
    book.close()
    assert "H200 at 1200 MHz, held back: power limit." in shown[-1]
    kept = results.find(SLUG)[book.machine["slug"]].machine["gpus"][0]
    assert kept["before"]["held_back"] == ["idle"]
    assert kept["after"]["held_back"] == ["power limit"]


def test_close_refuses_a_claim_left_open(chapter, tmp_path):
    with pytest.raises(ValueError, match="was not judged"):
        chapter.close()
    assert not list(tmp_path.glob("results/*/*"))


@pytest.mark.parametrize(
    ("preset", "picked"), [("S", 1), ("M", 1), ("talk", 3)]
)
def test_pick_takes_the_nearest_smaller_preset(chapter, preset, picked):
    chapter.preset = preset
    assert chapter.pick(S=1, L=3) == picked


@pytest.mark.parametrize(
    ("slug", "options", "message"),
    [
        ("first-benchmark", {"preset": "XL"}, "choose one of S, M, L"),
        ("first-benchmark", {"device": "tpu"}, "one of"),
        ("nope", {}, "'nope' is not in"),
    ],
)
def test_a_chapter_refuses(slug, options, message):
    with pytest.raises(ValueError, match=message):
        page.Chapter(slug, **options)
