"""The parts of the book, their tests and the routes: book/*.yml."""

import dataclasses

from commandline import ROOT
from onthefly import files
from onthefly.errors import UserError


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of the book.

    title  its name in the table of contents
    after  what a reader can do after it: completes "you can ..."
    needs  what it takes for granted
    pages  {document: a line about it}, in the book's order
    results  {document: what it found, a sentence with the page's own
           numbers}, where no sentence of its opening says that by itself
    """

    title: str
    after: str
    needs: str
    pages: dict[str, str]
    results: dict[str, str] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Route:
    """A way through the book.

    title     how a reader would call it
    whom      what it is for
    sessions  {title of a session: its documents}, in the order in which they
              are read; a route that is no course has one, which is called ""
    """

    title: str
    whom: str
    sessions: dict[str, list[str]]

    @property
    def pages(self):
        """The documents of all sessions."""
        return [page for pages in self.sessions.values() for page in pages]


@dataclasses.dataclass(frozen=True)
class Question:
    """A question of a part's self-test.

    asks    the question
    answer  a few sentences, with no number that a machine produced
    page    the document that explains it
    """

    asks: str
    answer: str
    page: str


def parts(path=ROOT / "book" / "parts.yml"):
    """Return {folder: Part}, in the book's order; see `_read`."""
    return {name: Part(**about) for name, about in _read(path).items()}


def routes(path=ROOT / "book" / "routes.yml"):
    """Return {route's name: Route}; see `_read`."""
    every = _read(path)
    for about in every.values():
        about.setdefault("sessions", {"": about.pop("pages", [])})
    return {name: Route(**about) for name, about in every.items()}


def self_tests(path=ROOT / "book" / "self_tests.yml"):
    """Return {part's folder: its Questions}; see `_read`."""
    return {
        part: [Question(**one) for one in questions]
        for part, questions in _read(path).items()
    }


def _read(path):
    """Return what a file holds; raise UserError where its schema forbids."""
    about = files.yaml_data(path)
    if fault := files.breach(about, path.with_suffix(".schema.json")):
        raise UserError(f"{path}: {fault}; correct the entry")
    return about
