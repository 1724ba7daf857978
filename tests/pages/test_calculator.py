"""The calculator in a browser, against the command's answers."""

import json
import random
import shutil

import pytest

from cases import eight_problems, keep
from commandline import ROOT
from conftest import call
from onthefly.commands import main
from onthefly.measure import records
from onthefly.measure.quantity import Quantity
from onthefly.measure.timings import Measured
from onthefly.predict import answers, prediction
from rendering.choice import calculator

PAGE = """<!doctype html><html lang="en" data-theme="light"><title>t</title>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="../_static/onthefly.css">
<main class="bd-article"><h1>Which one?</h1>{form}<h2 id="below">Below</h2>
</main></html>"""
KEPT = {
    "box": eight_problems(),
    "many": eight_problems("many", cores=16),
}
ROWS = "rows => rows.map(row => [...row.cells].map(c => c.textContent))"
AXES = {
    "size": calculator.SIZES,
    "calls": calculator.CALLS,
    "cores": (*calculator.CORES, 2),
    "loaded": (False, True),
}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A page with the calculator alone, where the book would have it."""
    root = tmp_path_factory.mktemp("book")
    shutil.copytree(ROOT / "book" / "_static", root / "_static")
    path = root / "book" / "which_one.html"
    path.parent.mkdir()
    machines = {name: Measured(one) for name, one in KEPT.items()}
    every = {name: prediction.choices(machines[name]) for name in machines}
    form = calculator.form(machines, every, "box")
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
    ready(page)
    yield page
    context.close()
    assert not wrong


def ready(page):
    """Wait until the page has answered."""
    page.wait_for_selector("#otf-choose[aria-busy=false]")


def rows(page):
    """Return what the table shows: name, time, gain, and what is beyond."""
    ready(page)
    return page.locator("#otf-choose tbody tr").evaluate_all(ROWS)


def answered(page):
    """Return the sentence and the notes that the page shows."""
    ready(page)
    notes = page.locator("#otf-choose li").all_inner_texts()
    return page.locator("#otf-choose output").inner_text(), notes


def command(page):
    """Return the command that the page shows, as arguments."""
    ready(page)
    words = page.locator("[data-command]").inner_text().split()
    assert words[0] == "onthefly"
    return words[1:]


def opened(page, **asked):
    """Let the page answer what is asked by its address."""
    page.evaluate(
        "hash => new Promise(done => {"
        " addEventListener('hashchange', done, { once: true });"
        " location.hash = hash })",
        "&".join(f"{k}={v}" for k, v in asked.items()),
    )
    ready(page)


def drawn(seed, count):
    """Yield points of the grid, at random."""
    rng = random.Random(seed)
    for _ in range(count):
        asked = {name: rng.choice(values) for name, values in AXES.items()}
        problem = rng.choice(["polynomial", "words"])
        if problem == "polynomial":
            asked["data"] = rng.choice(calculator.DATA)
            asked["device"] = rng.choice((False, True))
        named = {k: v for k, v in asked.items() if v is not False}
        yield {"problem": problem, **named}


def cells(row):
    """Return what the page shows of a row of the command's JSON."""
    texts = [row["name"]]
    for (value, low, high), unit in (row["seconds"], "s"), (row["gain"], "×"):
        if low is None:
            shown = Quantity.exact(value, unit).rounded(answers.DIGITS)[0]
            texts.append(f"about {shown}")
            continue
        shown, interval = Quantity(value, low, high, unit).rounded(
            answers.DIGITS
        )
        texts.append(f"{shown} ({interval})" if interval else shown)
    return [
        *texts[:2],
        texts[2] + "*" * row["gain beyond"],
        "beyond what was measured" * row["beyond"],
    ]


@pytest.fixture
def recorded(archive):
    """The machines of the page, recorded."""
    for one in KEPT.values():
        keep(one, recorded=True)


def test_it_answers_as_the_command_does(page, recorded):
    assert records.RECORDED.is_dir()
    for asked in drawn(seed=1, count=40):
        opened(page, **{k: 1 if v is True else v for k, v in asked.items()})
        done = call(main, *command(page), "--json")
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert {k: told[k] for k in asked} == asked
        first, rest = told["methods"][:5], told["methods"][5:]
        shown = first + [one for one in rest if one["method"] == "Python"]
        assert rows(page) == list(map(cells, shown)), asked
        assert answered(page) == (told["answer"], told["notes"]), asked


def test_a_link_to_an_answer_opens_it(page, browser):
    opened(page, problem="words", size=300, calls=100, cores=4)
    link = page.locator("[data-link]").evaluate("a => a.href")
    other = browser.new_page()
    other.goto(link)
    assert rows(other) == rows(page)
    assert other.locator("[name=cores]").input_value() == "4"
    assert answered(other) == answered(page)
    other.close()


def test_a_link_to_what_is_not_offered_keeps_the_rest(page):
    opened(page, problem="words", size=77, calls=100)
    assert page.locator("[name=size]").input_value() == "100000"
    assert "--calls 100" in " ".join(command(page))


def test_it_works_by_keyboard_alone(page):
    field = page.locator("[name=size]")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "size":
            break
    page.keyboard.press("Home")
    assert field.input_value() == "10"
    assert "Python's own loop" in answered(page)[0]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    assert page.locator("[name=problem]").input_value() == "words"
    page.keyboard.press("Enter")  # sends nothing anywhere
    assert len(rows(page)) == 2
    page.wait_for_function("location.hash.includes('problem=words')")


def test_what_makes_no_difference_cannot_be_chosen(page):
    assert page.locator("[name=data]").is_enabled()
    page.locator("[name=problem]").select_option("words")
    ready(page)
    assert page.locator("[name=data]").is_disabled()
    assert page.locator("[name=device]").is_disabled()
    assert "--data" not in command(page)


def test_each_field_has_a_label(page):
    for name in ("problem", "size", "calls", "cores", "data", "loaded"):
        labels = page.locator(f"[name={name}]").evaluate(
            "field => field.labels[0].textContent.trim()"
        )
        assert labels


def test_without_a_script_it_says_what_to_do(browser, file):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("#otf-choose").is_hidden()
    assert "onthefly choose" in page.locator("#otf-no-choose").inner_text()
    context.close()
