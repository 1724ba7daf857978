"""Each question is answered by its page, told from the record."""

import nbformat
import pytest

from onthefly.page import results
from onthefly.questions import asked as questions
from rendering.questions import OF_VERDICTS


@pytest.fixture(scope="module")
def asked():
    """The questions that a page answers which is run."""
    every = [q for group in questions.load().values() for q in group]
    return [q for q in every if q.page not in OF_VERDICTS]


def test_each_page_answers_its_questions_and_no_others(executed, asked):
    told = {
        path.stem: results.load(path)
        for path in executed.parent.glob("results/*/*.json")
    }
    answered = {
        (slug, id) for slug, run in told.items() for id in run.answers
    }
    assert answered == {(q.page, q.id) for q in asked}


def test_each_heading_that_answers_is_there(executed, asked):
    text = "".join(
        cell.source
        for path in executed.rglob("*.ipynb")
        for cell in nbformat.read(path, 4).cells
        if cell.cell_type == "markdown"
    )
    assert not [q.at for q in asked if f"({q.at})=" not in text]
