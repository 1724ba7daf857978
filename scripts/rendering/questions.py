"""The page *Questions*: what people ask, and what this copy answers.

It makes no measurement and types no number: each answer is a sentence that
a page wrote by `@answer`, and carries what the data make of it; or one that
the build makes of all verdicts, or of the trials of `onthefly compare`.
"""

import dataclasses

from onthefly.page import results
from onthefly.questions import asked
from onthefly.questions.answers import DOUBTS
from rendering import changes, regression

# {page of book/ that answers: function of a Copy -> text}
OF_VERDICTS = {
    "regression": regression.answer,
    "what-changed": changes.answer,
}


@dataclasses.dataclass(frozen=True)
class Answered:
    """A question and what a page's run answers.

    question  the onthefly.questions.asked.Question
    text      the answer, in Markdown; "" where no run gave one
    doubt     "" where the data bear it out; else why they do not
    whose     whose data it rests on: machine, day and preset
    """

    question: asked.Question
    text: str = ""
    doubt: str = ""
    whose: str = ""


def page(copy):
    """Return the page as Markdown.

    copy  a rendering.copy.Copy
    """
    groups = {
        group: [of_copy(one, copy) for one in some]
        for group, some in asked.load().items()
    }
    answered = [one for group in groups.values() for one in group if one.text]
    return copy.render(
        "book/questions",
        groups=groups,
        sources=sorted({one.whose for one in answered if one.whose}),
    )


def of_copy(question, copy):
    """Return what a copy answers.

    copy  a rendering.copy.Copy
    """
    make = OF_VERDICTS.get(question.page)
    if make:
        return Answered(question, make(copy))
    return of_run(question, copy.runs.get(question.page))


def of_run(question, run):
    """Return what a run answers.

    run  the results.Results of the question's page, or None
    """
    text = run.answers.get(question.id, "") if run else ""
    if not text:
        return Answered(question)
    expected = run.expected[results.answer_to(question.id)]
    return Answered(question, text, DOUBTS[expected["verdict"]], run.origin)
