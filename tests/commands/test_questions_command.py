"""The questions, and what runs answer."""

import functools
import json

import pytest

from conftest import MACHINE, call
from onthefly import commands
from onthefly.errors import UserError
from onthefly.page import results
from onthefly.questions import answers, search
from onthefly.questions import asked as questions
from rendering import questions as questions_page
from rendering.copy import Copy

ask = functools.partial(call, commands.main, "questions")
PAGE = "what-a-shot-buys"
ENTRY = {
    "id": "digit", "asks": "What does a digit cost?",
    "page": PAGE, "at": "what-a-shot-buys",
}  # fmt: skip


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """A file of one question in the place of the book's."""
    path = tmp_path / "questions.yml"
    path.write_text(json.dumps({"Digits": [ENTRY]}))
    load = questions.load
    monkeypatch.setattr(questions, "load", lambda: load(path))
    return path


def answer(run, verdict):
    """Store Results that answer the question."""
    run.machine["slug"] = "box"
    run.answers["digit"] = "A hundred times the shots."
    label = results.answer_to("digit")
    run.expected[label] = {"verdict": verdict, "numbers": "", "groups": []}
    results.save(run)


@pytest.mark.parametrize(
    "verdict, doubt",
    [
        ("holds", ""),
        ("not resolved", "not settled in these data"),
        ("not so", "these data say otherwise"),
    ],
)
def test_an_answer_says_whether_the_data_bear_it_out(
    asked, archive, measured, verdict, doubt
):
    answer(measured, verdict)
    done = ask("DIGIT")
    lines = [line.strip() for line in done.stdout.splitlines()]
    first = f"({doubt}) " if doubt else ""
    assert done.returncode == 0
    assert lines[:2] == [ENTRY["asks"], f"{first}A hundred times the shots."]
    stamps = {PAGE: {"chapter": PAGE, "machine": "box", "preset": "S"}}
    text = questions_page.page(Copy(stamps))
    assert "A hundred times the shots." in text
    assert (f"*({doubt})*" in text) == bool(doubt)


def test_what_no_run_answered_is_said_to_be_so(asked, archive):
    assert "Not measured in this copy" in questions_page.page(Copy({}))
    assert "Not measured yet." in ask().stdout


def test_what_no_page_can_know_the_verdicts_of_all_answer(
    asked, archive, monkeypatch
):
    asked.write_text(json.dumps({"Talks": [ENTRY | {"page": "verdicts"}]}))
    monkeypatch.setitem(
        questions_page.OF_VERDICTS, "verdicts", lambda _: "The first of all."
    )
    text = questions_page.page(Copy({}))
    assert "The first of all." in text and "box" not in text


def test_words_that_fit_no_question(asked, archive):
    done = ask("zebra", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["nearest"] == []
    assert "all: onthefly questions" in ask("zebra").stderr


@pytest.fixture(scope="module")
def known():
    """What the package ships."""
    return json.loads(answers.as_json())


@pytest.mark.parametrize("word", ["seed", "class", "dict", "cores", "PRANGE"])
def test_a_word_is_found_in_questions_and_in_answers(known, word):
    some = search.found(known["questions"], [word])
    assert some and len(some) < len(known["questions"]) / 2


def test_a_question_comes_before_what_only_its_answer_has(known):
    first, *_ = search.found(known["questions"], ["prange"])
    assert "prange" in first["asks"]


@pytest.mark.parametrize("word", ["string", "recursion", "nubma"])
def test_where_none_fits_the_nearest_are_offered(known, word):
    entries = known["questions"]
    assert not search.found(entries, [word])
    near = search.nearest(entries, [word], known["words"])
    assert 0 < len({one["page"] for one in near}) == len(near) <= 3
    done = ask(word)
    assert done.returncode == 1 and near[0]["asks"][:30] in done.stdout
    assert f"contains: {word}" in done.stderr


def test_a_plural_and_its_singular_are_one(known):
    one, more = (
        search.found(known["questions"], [word])
        for word in ("thread", "threads")
    )
    assert one == more
    assert search.stem("class") == "class" and search.stem("BLAS") == "bla"


def test_what_is_shipped_has_no_file_twice_and_links_to_pages(known):
    for one in known["questions"]:
        page, _, label = one["link"].partition("#")
        source = questions.PATH.parents[1] / page
        ends = [source.with_suffix(end) for end in (".ipynb", ".md")]
        assert label and any(path.exists() for path in ends)


def test_the_shipped_answers_are_read_where_there_is_no_checkout(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(answers, "CHECKOUT", None)
    monkeypatch.setattr(answers, "SHIPPED", tmp_path / "answers.json")
    (tmp_path / "answers.json").write_text(json.dumps({
        "questions": [ENTRY | {"title": "Shots", "link": "a.html#b",
                               "answers": []}], "words": {}, "machines": [],
    }))  # fmt: skip
    done = ask("digits")
    assert done.returncode == 0 and "Shots: a.html#b" in done.stdout


def test_a_machine_is_known_whatever_is_asked(asked):
    machine = "--machine", MACHINE
    assert ask("zebra", *machine).returncode == 1
    done = ask("zebra", "--machine", "god")
    assert done.returncode == 2 and "unknown machine 'god'" in done.stderr


@pytest.mark.parametrize(
    "entries, fault",
    [
        ([ENTRY, ENTRY], "the id 'digit' stands twice"),
        ([ENTRY | {"asks": "No question"}], "asks"),
    ],
)
def test_a_file_that_is_wrong_is_refused(tmp_path, entries, fault):
    path = tmp_path / "questions.yml"
    path.write_text(json.dumps({"Digits": entries}))
    with pytest.raises(UserError, match=fault):
        questions.load(path)
