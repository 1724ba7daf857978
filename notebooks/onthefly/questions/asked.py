"""The questions of the book, in a checkout: book/questions.yml."""

import dataclasses

from onthefly import files
from onthefly.errors import UserError
from onthefly.folders import CHECKOUT

PATH = CHECKOUT / "book" / "questions.yml" if CHECKOUT else None
SCHEMA = PATH and PATH.with_suffix(".schema.json")


@dataclasses.dataclass(frozen=True)
class Question:
    """A question as people put it.

    id    what a page calls it that answers it, by `book.answer`
    asks  the question
    page  slug of the page that answers it
    at    label of the heading there that shows it
    """

    id: str
    asks: str
    page: str
    at: str


def load(path=None):
    """Return {group: [Question, ...]}, in the file's order.

    path  of the file; by default PATH

    Raises UserError, with the place and the repair, for a file that is not
    in the form of questions.schema.json, and for an id that stands twice.
    """
    path = path or PATH
    data = files.yaml_data(path)
    if fault := files.breach(data, SCHEMA):
        raise UserError(f"{path}: {fault}; correct the entry")
    groups = {
        group: [Question(**entry) for entry in entries]
        for group, entries in data.items()
    }
    seen = set()
    for question in (q for group in groups.values() for q in group):
        if question.id in seen:
            raise UserError(
                f"{path}: the id {question.id!r} stands twice; rename one"
            )
        seen.add(question.id)
    return groups
