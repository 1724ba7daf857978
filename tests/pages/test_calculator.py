"""The calculator in a browser, against the model that it mirrors."""

import json
import os
import random
import shutil

import pytest

from cases import eight_problems
from choosing import bounds, kept, words
from commandline import ROOT
from onthefly.experiments.choice import prediction
from rendering.which import calculator

PAGE = """<!doctype html><html lang="en" data-theme="light"><title>t</title>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="../_static/onthefly.css">
<main class="bd-article"><h1>Which one?</h1>{form}<h2 id="below">Below</h2>
</main></html>"""
FOUND = {"box": eight_problems(), "many": eight_problems("many", cores=16)}
# The theme's own colours, which the book's style sheet builds on.
THEME = {
    "light": ":root { --pst-color-text-base: #222832;"
    " --pst-color-background: #fff; --pst-color-link: #176de8 }",
    "dark": ":root { --pst-color-text-base: #ced6dd; color: #ced6dd;"
    " --pst-color-background: #121212; --pst-color-link: #5ca4ff }"
    " a { color: var(--pst-color-link) } body { background: #121212 }",
}
# Of each way: its name and the three numbers behind what is shown.
WAYS = "rows => rows.map(row => row.dataset.way)"
ROWS = """rows => rows.map(row => [row.dataset.way,
  ...["value", "low", "high"].map(key => Number(row.dataset[key]))])"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A page with the calculator alone, where the book would have it."""
    root = tmp_path_factory.mktemp("book")
    shutil.copytree(ROOT / "book" / "_static", root / "_static")
    path = root / "book" / "which_one.html"
    path.parent.mkdir()
    form = calculator.form(FOUND, "box")
    path.write_text(PAGE.format(form=form), encoding="utf-8")
    return path


@pytest.fixture
def page(browser, file):
    """That page, opened; what goes wrong on it fails the test."""
    context = browser.new_context()
    page = context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert not wrong


def rows(page):
    return page.locator("#otf-choose tbody tr").evaluate_all(ROWS)


def said(page):
    return page.locator("#otf-choose output").inner_text()


def opened(page, **asked):
    """Let the page answer what is asked by its address."""
    hash_ = "&".join(f"{k}={v}" for k, v in asked.items())
    page.evaluate("hash => { location.hash = hash }", hash_)
    page.wait_for_function(
        "hash => document.querySelector('[data-link]').hash"
        ".includes(`size=${hash}&`)",
        arg=str(asked["size"]),
    )


def drawn(seed, count):
    """Yield inputs of every kind, at random."""
    rng = random.Random(seed)
    for _ in range(count):
        machine = rng.choice([*FOUND])
        measured = prediction.choices(FOUND[machine])
        yield {
            "machine": machine,
            "problem": rng.choice([*measured]),
            "size": round(10 ** rng.uniform(0, 9)),
            "calls": round(10 ** rng.uniform(0, 7)),
            "cores": rng.choice([1, 2, 3, 4, 8, 16, 64]),
            "data": rng.choice(prediction.DATA),
            **rng.choice([{}, {"device": 1}]),
            **rng.choice([{}, {"loaded": 1}]),
        }


def test_its_arithmetic_is_the_models(page):
    every = {name: prediction.choices(one) for name, one in FOUND.items()}
    for asked in drawn(seed=1, count=120):
        opened(page, **asked)
        choices, whose = kept.for_cores(
            every, asked["machine"], asked["problem"], asked["cores"]
        )
        given = {
            "calls": asked["calls"],
            "workers": asked["cores"],
            "data": asked["data"],
            "device": "device" in asked,
            "imports": "loaded" not in asked,
        }
        expected = choices.ranked(asked["size"], **given)
        found = {way: ends for way, *ends in rows(page)}
        assert list(found) == list(expected), asked
        for way, q in expected.items():
            ends = [q.value, q.low, q.high]
            assert found[way] == pytest.approx(ends, rel=1e-9), (asked, way)
        winner = choices.winner(asked["size"], **given)
        rivals = page.locator("tr[data-rival=true]")
        assert tuple(rivals.evaluate_all(WAYS)) == winner.rivals, asked
        sentences = words.answer(choices, asked["size"], **given)
        recorded = whose != asked["machine"]
        cores = words.cores(choices, asked["cores"], recorded)
        sentences += f" {cores}"
        marks = page.locator(".otf-asked ~ .otf-scroll td:nth-child(3)")
        assert [
            text.endswith(words.EXTRAPOLATED)
            for text in marks.all_inner_texts()
        ] == [bool(words.guessed(choices, way, asked["size"]))
              for way in expected], asked  # fmt: skip
        assert said(page) == sentences.strip(), asked


def test_the_hash_of_a_heading_asks_nothing(page):
    page.evaluate("location.hash = 'below'")
    before = said(page)
    assert "predicted" in before and len(rows(page)) > 1
    page.wait_for_timeout(50)
    assert said(page) == before


def test_a_link_to_an_answer_opens_it(page, browser):
    opened(page, machine="many", problem="words", size=77, calls=5, cores=3,
           data="own")  # fmt: skip
    link = page.locator("[data-link]").evaluate("a => a.href")
    other = browser.new_page()
    other.goto(link)
    assert rows(other) == rows(page)
    assert other.locator("[name=cores]").input_value() == "3"
    assert said(other) == said(page)
    other.close()


def test_it_works_by_keyboard_alone(page):
    field = page.locator("[name=size]")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "size":
            break
    page.keyboard.press("Control+a")
    page.keyboard.type("10")
    assert field.input_value() == "10"
    assert "Python's own loop is predicted to take the least" in said(page)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    assert page.locator("[name=problem]").input_value() == "words"
    page.keyboard.press("Enter")  # sends nothing anywhere
    assert page.locator("tbody tr").count() == 2
    assert "problem=words" in page.evaluate("location.hash")


@pytest.mark.parametrize("name", ["size", "calls", "cores"])
@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "many", "1e16"])
def test_what_is_no_whole_number_is_said_to_be_none(page, name, text):
    page.locator(f"[name={name}]").fill(text)
    assert said(page) == f"{name}: give {bounds.wanted(name)}."
    assert not rows(page)
    field = page.locator(f"[name={name}]")
    assert field.get_attribute("aria-invalid") == "true"
    field.fill("7")
    assert rows(page) and field.get_attribute("aria-invalid") == "false"


def test_a_hash_that_names_nothing_known_falls_back(page):
    opened(page, machine="none", problem="none", size=10, calls=1, cores=2,
           data="none")  # fmt: skip
    assert page.locator("[name=problem]").input_value() == "polynomial"
    assert len(rows(page)) > 1


def test_no_more_cores_than_the_bound(page):
    most = bounds.MOST["cores"]
    page.locator("[name=cores]").fill(str(most))
    assert rows(page)
    page.locator("[name=cores]").fill(str(most + 1))
    assert not rows(page)


def test_a_machine_without_a_device_offers_none(page):
    assert page.locator("[name=device]").is_enabled()  # CuPy was measured
    page.locator("[name=problem]").select_option("words")
    assert page.locator("[name=device]").is_disabled()


def test_the_command_that_it_shows_gives_the_same(page, tmp_path):
    import choose
    from conftest import call
    from onthefly import results

    opened(page, machine="many", problem="polynomial", size=5000, calls=20,
           cores=4, data="lists", device=1)  # fmt: skip
    line = page.locator("[data-command]").inner_text().split()[1:]
    for one in FOUND.values():
        results.save(one, tmp_path)
    done = call(
        choose.main, *line, "--json",
        environment={**os.environ, "ONTHEFLY_RESULTS": str(tmp_path)},
    )  # fmt: skip
    found = json.loads(done.stdout)["ways"]
    shown = rows(page)
    assert [row["way"] for row in found] == [way for way, *_ in shown]
    for row, (_, *ends) in zip(found, shown, strict=True):
        assert row["seconds"] == pytest.approx(ends, rel=1e-9)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, file, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page = browser.new_page()
    page.goto(file.as_uri())
    page.evaluate(
        "scheme => { document.documentElement.dataset.theme = scheme }",
        scheme,
    )
    page.add_style_tag(content=THEME[scheme])
    found = Axe().run(page).response["violations"]
    assert not [(v["id"], v["nodes"][0]["html"]) for v in found]
    page.close()


def test_it_fits_on_a_phone(browser, file):
    page = browser.new_page(viewport={"width": 390, "height": 740})
    page.goto(file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.close()


def test_without_a_script_it_says_what_to_do(browser, file):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("#otf-choose").is_hidden()
    assert "scripts/choose.py" in page.locator("noscript").inner_text()
    context.close()
