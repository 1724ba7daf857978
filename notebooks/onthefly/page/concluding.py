"""The end of a page: its values, conditions, figures, verdicts and answers.

What the module beside the notebook returns becomes what its decorators say;
conditions that stand in the prose are checked; the results are written.
"""

import dataclasses
import time

from IPython.display import HTML

from onthefly.page import (
    checkout,
    claims,
    expectations,
    missing,
    prose,
    results,
    showing,
)
from onthefly.page.conclusions import (
    ConclusionError,
    Conclusions,
    holds_in,
    kinds_of,
    load,
    place_of,
)
from onthefly.page.measurements import held_back
from onthefly.page.missing import Missing, Unchecked
from onthefly.page.verdicts import Verdicts

# Names of the prose that every page has.
CLAIMS, MEASUREMENTS, HOLDS = "what_the_talks_said", "measurements", "holds"
SHOWN = {
    "diagram": showing.diagram,
    "program": showing.program,
    "printed": showing.printed,
}


def conclude(book, names):
    """Add a page's values to its names, and write its results.

    book   its Chapter
    names  the notebook's, as ``globals()``
    """
    notebook = checkout.find_page(book.slug)
    module = _module(notebook)
    sentences = _sentences(notebook)
    values = Conclusions(names | {"book": book}, module)
    page = _Page(book, values, sentences)
    for name, value in values.items():
        names[name] = page.made(name, value)
    names[HOLDS] = holds_in(expectations.check)
    names.update(SHOWN)
    page.check_prose(names)
    book.close()
    page.verdicts.close(list(dict.fromkeys(missing.left_out)))
    names[CLAIMS] = HTML(page.verdicts.as_html())
    ending = held_back(book.machine)
    names[MEASUREMENTS] = HTML(book.notes.as_html(book.whose, ending))
    _save(book)


def _module(notebook):
    """Return the module beside a notebook, or None."""
    path = notebook and checkout.module_beside(notebook)
    if not path or not path.exists():
        return None
    return load(path)


def _sentences(notebook):
    """Return {expression: the sentence before it} of a notebook's prose."""
    if not notebook:
        return {}
    return prose.sentences(checkout.cells_of(notebook, "markdown"))


def _save(book):
    own = book.results
    own.finished = True
    own.seconds = round(time.monotonic() - book.started, 1)
    results.save(own)


class _Page:
    """Makes of each value of a page's module what its decorator says."""

    def __init__(self, book, values, sentences):
        self._book, self._values = book, values
        self._sentences = sentences
        self.verdicts = Verdicts(
            book.results,
            claims.load(),
            book.may_use_gpu,
            book.recorded_on,
            book.disturbed,
        )

    def made(self, name, value):
        """Return what a value is shown as in the prose."""
        function = self._values.functions[name]
        shown = value
        for kind, arguments, options in kinds_of(function):
            if isinstance(value, Missing) and kind != "judge":
                shown = _in_place_of(value, kind)
                continue
            make = getattr(self, f"_{kind}")
            try:
                shown = make(name, function, value, *arguments, **options)
            except ConclusionError:
                raise
            except Exception as error:
                raise ConclusionError(
                    f"{place_of(function)}: {name}: @{kind}: "
                    f"{type(error).__name__}: {error}"
                ) from error
        return shown

    def _expect(self, name, function, value, /, text=""):
        text = text or self._values.text(function)
        text = text or self._sentences.get(name, name.replace("_", " "))
        conditions = value if isinstance(value, (list, tuple)) else [value]
        lacking = missing.first(expectations.flat(conditions))
        if lacking is not None:
            return Unchecked(lacking.reason)
        expectation = self._checked(text, conditions)
        if name in self._sentences:  # the sentence stands before it
            return _behind(expectation)
        return expectation

    def _checked(self, text, conditions):
        expectation = expectations.check(text, conditions)
        expected, number = self._book.results.expected, 2
        key = text
        while key in expected:
            key, number = f"{text} ({number})", number + 1
        expected[key] = {
            "verdict": expectation.verdict,
            "numbers": expectation.numbers,
            "groups": list(expectation.groups),
        }
        return expectation

    def _figure(self, name, function, value, /, **options):
        stem = name.removesuffix("_figure").replace("_", "-")
        options = {
            "name": stem,
            "caption": self._values.text(function),
            **options,
        }
        if isinstance(value, dict):  # what is missing is not drawn
            known = {k: v for k, v in value.items() if not _lacks(v)}
            if value and not known:
                return _line(missing.first(value.values()))
            value = known
        return self._book.draw(value, **options)

    def _table(self, name, function, value, /):
        self._book.results.tables[name] = showing.plain(value)
        return showing.rows_as_html(value, self._values.text(function))

    def _judge(self, name, function, value, /, claim_id):
        unknown = isinstance(value, Missing)
        why = "" if unknown else self._values.text(function)
        self.verdicts.judge(claim_id, value, why)
        return value

    def _answer(self, name, function, value, /, question):
        conditions = value if isinstance(value, (list, tuple)) else [value]
        lacking = missing.first(expectations.flat(conditions))
        if lacking is not None:
            return lacking
        text = self._values.text(function)
        self._checked(results.answer_to(question), conditions)
        self._book.results.answers[question] = text
        return text

    def check_prose(self, names):
        """Check the conditions that stand in the prose."""
        for expression, sentence in self._sentences.items():
            if not prose.is_condition(expression):
                continue
            spied = names | {HOLDS: lambda *given: given}
            try:
                if missing.reads_missing(expression, names):
                    continue
                conditions = eval(expression, spied)
                if missing.first(expectations.flat(conditions)) is None:
                    self._checked(sentence, conditions)
            except Exception as error:
                if missing.reason_of(error):
                    continue
                raise ConclusionError(
                    f"{{eval}}`{expression}`: {type(error).__name__}: {error}"
                ) from error


def _lacks(value):
    return isinstance(value, Missing)


def _behind(expectation):
    """Return an Expectation that need not repeat the sentence before it."""
    return dataclasses.replace(expectation, text="")


def _in_place_of(lack, kind):
    """Return what is shown where something is missing."""
    if kind == "expect":
        return Unchecked(lack.reason)
    return _line(lack) if kind in ("figure", "table") else lack


def _line(lack):
    """Return the line in the place of a figure or table."""
    return HTML(missing.line_of(lack.reason))
