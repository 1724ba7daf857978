"""The questions, and what runs answer."""

import json

import pytest

import questions as questions_command
from conftest import MACHINE, call
from onthefly.errors import UserError
from onthefly.page import results
from reading import questions
from rendering import questions as questions_page
from rendering.copy import Copy

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
    done = call(questions_command.main, "DIGIT")
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
    assert "Not measured yet." in call(questions_command.main).stdout


def test_what_no_page_can_know_the_verdicts_of_all_answer(
    asked, archive, monkeypatch
):
    asked.write_text(json.dumps({"Talks": [ENTRY | {"page": "verdicts"}]}))
    monkeypatch.setitem(
        questions_page.OF_VERDICTS, "verdicts", lambda _: "The first of all."
    )
    text = questions_page.page(Copy({}))
    assert "The first of all." in text
    assert "as that page measured them." in " ".join(text.split())
    assert "The first of all." in call(questions_command.main).stdout


def test_words_that_fit_no_question(asked, archive):
    assert call(questions_command.main, "zebra").returncode == 1


def test_a_machine_is_known_whatever_is_asked(asked):
    machine = "--machine", MACHINE
    assert call(questions_command.main, "zebra", *machine).returncode == 1
    done = call(questions_command.main, "zebra", "--machine", "god")
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
