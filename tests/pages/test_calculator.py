"""The calculator in a browser, against the command's answers."""

import os
import random
import shutil

import pytest

from cases import eight_problems, keep
from commandline import ROOT
from onthefly.measure import records
from onthefly.measure.timings import Measured
from onthefly.predict import measurements, prediction, sentences
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
    "lean": eight_problems("lean"),
}
del KEPT["lean"].groups["polynomial"]
MACHINES = {name: Measured(one) for name, one in KEPT.items()}
EVERY = {name: prediction.choices(one) for name, one in MACHINES.items()}
ROWS = "rows => rows.map(row => [...row.cells].map(c => c.textContent))"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A page with the calculator alone, where the book would have it."""
    root = tmp_path_factory.mktemp("book")
    shutil.copytree(ROOT / "book" / "_static", root / "_static")
    path = root / "book" / "which_one.html"
    path.parent.mkdir()
    form = calculator.form(MACHINES, EVERY, "box")
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
    """Return what the table shows: name, time, gain, and what is beyond."""
    return page.locator("#otf-choose tbody tr").evaluate_all(ROWS)


def answered(page):
    return page.locator("#otf-choose output").inner_text()


def opened(page, **asked):
    """Let the page answer what is asked by its address."""
    page.evaluate(
        "hash => new Promise(done => {"
        " addEventListener('hashchange', done, { once: true });"
        " location.hash = hash })",
        "&".join(f"{k}={v}" for k, v in asked.items()),
    )


def drawn(seed, count):
    """Yield inputs of every kind, at random."""
    rng = random.Random(seed)
    for _ in range(count):
        machine = rng.choice([*MACHINES])
        yield {
            "machine": machine,
            "problem": rng.choice([*EVERY[machine]]),
            "size": round(10 ** rng.uniform(0, 9)),
            "calls": round(10 ** rng.uniform(0, 7)),
            "cores": rng.choice(calculator.CORES),
            "data": rng.choice(prediction.DATA),
            **rng.choice([{}, {"device": 1}]),
            **rng.choice([{}, {"loaded": 1}]),
        }


def expected(asked):
    """Return the table and the sentences of the command's own answer."""
    choices, machine = measurements.for_cores(
        EVERY, asked["machine"], asked["problem"], asked["cores"]
    )
    n, workers, data = asked["size"], asked["cores"], asked["data"]
    options = {
        "calls": asked["calls"],
        "workers": workers,
        "data": data,
        "device": "device" in asked,
        "imports": "loaded" not in asked,
    }
    ranked = choices.ranked(n, **options)
    table = [
        [
            sentences.name(choices, variant),
            str(seconds),
            sentences.gained(choices, ranked, variant, n),
            "beyond what was measured"
            * choices.beyond(variant, n, workers, data),
        ]
        for variant, seconds in ranked.items()
    ]
    about = sentences.about_cores(
        choices, workers, machine != asked["machine"]
    )
    return table, f"{sentences.answer(choices, n, **options)} {about}".strip()


def test_it_answers_as_the_command_does(page):
    for asked in drawn(seed=1, count=150):
        opened(page, **asked)
        table, text = expected(asked)
        assert rows(page) == table, asked
        assert answered(page) == text, asked


def test_a_link_to_an_answer_opens_it(page, browser):
    opened(page, machine="many", problem="words", size=77, calls=5, cores=3,
           data="own")  # fmt: skip
    link = page.locator("[data-link]").evaluate("a => a.href")
    other = browser.new_page()
    other.goto(link)
    assert rows(other) == rows(page)
    assert other.locator("[name=cores]").input_value() == "3"
    assert answered(other) == answered(page)
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
    assert "Python's own loop is predicted to take the least" in answered(
        page
    )
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    assert page.locator("[name=problem]").input_value() == "words"
    page.keyboard.press("Enter")  # sends nothing anywhere
    assert page.locator("tbody tr").count() == 2
    assert "problem=words" in page.evaluate("location.hash")


@pytest.mark.parametrize("name", ["size", "calls"])
@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "1e16"])
def test_what_is_no_whole_number_is_said_to_be_none(page, name, text):
    page.locator(f"[name={name}]").fill(text)
    assert answered(page) == f"{name}: give {sentences.wanted(name)}."
    assert not rows(page)
    page.locator(f"[name={name}]").fill("7")
    assert rows(page) and "predicted" in answered(page)


def test_a_problem_that_a_machine_did_not_measure_is_said_to_be_so(page):
    page.locator("[name=machine]").select_option("lean")
    assert answered(page) == sentences.fill(
        "unmeasured", problem="polynomial", machine="lean"
    )
    assert not rows(page)
    page.locator("[name=problem]").select_option("words")
    assert rows(page)


def test_the_command_that_it_shows_gives_the_same(
    page, tmp_path, monkeypatch
):
    import choose

    from conftest import call

    monkeypatch.setattr(records, "RECORDED", tmp_path)
    opened(page, machine="many", problem="polynomial", size=5000, calls=20,
           cores=4, data="lists", device=1)  # fmt: skip
    line = page.locator("[data-command]").inner_text().split()[1:]
    for one in KEPT.values():
        keep(one, recorded=True)
    done = call(
        choose.main, *line,
        environment={**os.environ, "ONTHEFLY_BUILD": str(tmp_path / "x")},
    )  # fmt: skip
    text = " ".join(done.stdout.split())
    assert answered(page) in text
    assert all(" ".join(row).strip() in text for row in rows(page))


def test_without_a_script_it_says_what_to_do(browser, file):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("#otf-choose").is_hidden()
    assert "scripts/choose.py" in page.locator("noscript").inner_text()
    context.close()
