"""The calculator in a browser, against the model that it mirrors."""

import random
import shutil

import pytest

from cases import eight_problems
from commandline import ROOT
from onthefly.experiments.choice import prediction
from rendering.which import calculator

PAGE = """<!doctype html><html lang="en" data-theme="light"><title>t</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="../_static/onthefly.css">
<main class="bd-article"><h1>Which one?</h1>{form}<h2 id="below">Below</h2>
</main></html>"""
FOUND = {"box": eight_problems(), "many": eight_problems("many", cores=16)}
# Of each way: its name and the three numbers behind what is shown.
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
        }


def test_its_arithmetic_is_the_models(page):
    every = {name: prediction.choices(one) for name, one in FOUND.items()}
    for asked in drawn(seed=1, count=200):
        opened(page, **asked)
        choices = every[asked["machine"]][asked["problem"]]
        expected = choices.ranked(
            asked["size"],
            calls=asked["calls"],
            workers=asked["cores"],
            data=asked["data"],
            device="device" in asked,
        )
        found = {way: ends for way, *ends in rows(page)}
        assert list(found) == list(expected), asked
        for way, q in expected.items():
            ends = [q.value, q.low, q.high]
            assert found[way] == pytest.approx(ends, rel=1e-9), (asked, way)
