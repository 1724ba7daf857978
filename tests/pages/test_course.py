"""The course kit of a route: its slides in a browser, what is kept apart."""

import html
import json
import re

import pytest

import course
from conftest import ROOT, call, listen, script
from reading import paths, toc
from rendering import slides
from templates import coded

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("book")]

ROUTE = "two-hours"
HEADING = re.compile(r"^#{1,3} (.+)$", re.M)
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)
LINK = re.compile(r'href="([^"#]+)"')
GATE = re.compile(r"^```\{(exercise|solution)-(start|end)\}.*\n", re.M)
TAG = re.compile(r"<[^>]+>")
SMALLEST = 10  # pixels: code that a room can read
HEADS = """() => Reveal.getHorizontalSlides().map(
  one => one.querySelector('h1, h2, h3').textContent)"""
# Of each slide, shown: how far down and to the right its contents reach, and
# the smallest type.
REACH = """() => Reveal.getSlides().map(slide => {
  const { h, v } = Reveal.getIndices(slide);
  Reveal.slide(h, v);
  const all = [...slide.querySelectorAll(':not(.notes, .notes *)')];
  const boxes = all.map(one => one.getBoundingClientRect());
  const types = [...slide.querySelectorAll('p, li, td, pre')].map(
    one => parseFloat(getComputedStyle(one).fontSize));
  return [`${h + 1}.${(v || 0) + 1}`,
    Math.max(...boxes.map(box => box.bottom)),
    Math.max(...boxes.map(box => box.right)), Math.min(...types, 99)];
})"""


@pytest.fixture(scope="module")
def kit(executed, tmp_path_factory):
    """The folder of a kit, made from the executed pages."""
    build = tmp_path_factory.mktemp("kit")
    (build / "executed").symlink_to(executed)
    done = script("course.py", ROUTE, "--build", build)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return build / "course" / ROUTE


@pytest.fixture(scope="module")
def decks(kit, browser):
    """{deck: (headings, REACH, what is wrong)}, as a browser shows it."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    heard, found = listen(page), {}
    for path in sorted((kit / "slides").glob("*.html")):
        heard.clear()
        page.goto(path.as_uri())
        page.evaluate("ready")
        reach = page.evaluate(REACH)
        found[path.stem] = page.evaluate(HEADS), reach, dict(heard)
    page.close()
    return found


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def sources(path, kind=None):
    every = cells(path)
    return [
        "".join(c["source"]) for c in every if kind in (None, c["cell_type"])
    ]


def solutions(path):
    """Return the code and the paragraphs of an executed page's solutions."""
    within, found = None, []
    for cell in cells(path):
        text = "".join(cell["source"])
        if cell["cell_type"] == "code":
            found += [text] if within == "solution" else []
            continue
        kind_end_text = GATE.split(text)
        for place in range(0, len(kind_end_text), 3):
            if place:
                kind, end = kind_end_text[place - 2 : place]
                within = kind if end == "start" else None
            # Without the numbers, which the kit has filled in.
            words = re.split(r"\{\w+\}`[^`]*`|\n", kind_end_text[place])
            long = [w for w in words if len(w) > 30 and w[0] not in ":`"]
            found += long if within == "solution" else []
    return found


def test_every_page_has_its_files(kit):
    pages = paths.routes()[ROUTE].pages
    own = [p.rpartition("/")[2] for p in pages if p.startswith(toc.FOLDER)]
    for kind, suffix in (
        ("slides", "html"), ("notebooks", "ipynb"), ("solutions", "ipynb"),
    ):  # fmt: skip
        found = sorted((kit / kind).glob(f"[0-9]*.{suffix}"))
        assert [path.stem[3:] for path in found] == own


def test_the_plan_has_all_sessions_and_its_links_lead_somewhere(kit):
    text = (kit / "index.html").read_text("utf-8")
    for title in paths.routes()[ROUTE].sessions:
        assert f"<h2>{html.escape(title)}</h2>" in text
    links = LINK.findall(text)
    assert len(links) > 10
    assert not [link for link in links if not (kit / link).exists()]


def test_a_column_of_slides_for_each_heading(kit, decks):
    for name, (heads, *_) in decks.items():
        texts = sources(kit / "notebooks" / f"{name}.ipynb", "markdown")
        text = FENCED.sub("", "\n\n".join(texts))
        own = [one.replace("`", "") for one in HEADING.findall(text)]
        assert heads == [one for one in own if one != slides.ASIDE]


def test_no_slide_is_larger_than_the_screen_or_too_small_to_read(decks):
    wrong = [
        (name, *each)
        for name, (_, reach, _) in decks.items()
        for each in reach
        if each[1] > 720 or each[2] > 1280 or each[3] < SMALLEST
    ]
    assert wrong == []


def test_a_deck_asks_no_other_host(decks):
    assert {name: wrong for name, (*_, wrong) in decks.items() if wrong} == {}


def test_formulas_are_typeset(kit, browser):
    page = browser.new_page()
    page.goto((kit / "slides/04-first_benchmark.html").as_uri())
    page.evaluate("ready")
    assert page.locator("mjx-container").count() > 0
    page.close()


def test_solutions_are_apart(kit, executed):
    for path in sorted((kit / "notebooks").glob("*.ipynb")):
        (page,) = executed.glob(f"*/{path.stem[3:]}.ipynb")
        handed = "\n".join(sources(path))
        deck = (kit / "slides" / f"{path.stem}.html").read_text("utf-8")
        deck = html.unescape(TAG.sub("", deck))
        solved = "\n".join(sources(kit / "solutions" / path.name))
        own = solutions(page)
        assert own
        for text in own:
            assert text not in handed and text in solved
            assert text not in deck
        asked = re.findall(r"^\*\*Exercise \d+\*\*$", handed, re.M)
        assert asked == re.findall(r"^\*\*Exercise \d+\*\*$", solved, re.M)
        assert len(asked) == len(
            re.findall(r"^\*\*Solution \d", solved, re.M)
        )
        assert "**Solution" not in handed


def test_the_answers_to_the_self_tests_are_apart(kit):
    asked = (kit / "self_tests.html").read_text("utf-8")
    answered = (kit / "solutions/self_tests.html").read_text("utf-8")
    pages, parts = set(paths.routes()[ROUTE].pages), paths.parts()
    touched = [n for n, part in parts.items() if pages & part.pages.keys()]
    assert len(touched) > 3
    for name, questions in paths.self_tests().items():
        for one in questions:
            question, answer = coded(one.asks), coded(one.answer)
            assert (question in asked) == (name in touched)
            assert (answer in answered) == (name in touched)
            assert answer not in asked


def test_a_route_that_is_none_is_one_line_that_lists_them():
    done = call(course.main, "dya")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "'dya'" in line and "did you mean day?" in line
    assert all(name in line for name in paths.routes())


def test_without_executed_pages_the_last_kit_stays(tmp_path):
    plan = tmp_path / "course" / ROUTE / "index.html"
    plan.parent.mkdir(parents=True)
    plan.write_text("the last one")
    done = call(course.main, ROUTE, "--build", tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "large_text_file.ipynb" in line and "repair: make read" in line
    assert plan.read_text() == "the last one"


def test_the_makefile_s_route_is_one():
    make = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^ROUTE \?= (\S+)$", make, re.M)[1] in paths.routes()
