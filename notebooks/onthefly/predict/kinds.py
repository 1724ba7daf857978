"""The kinds of predictions, and how each was tested on a machine.

Most tests rest on the page "Eight problems" alone.  What that page measures
once, or not at all, other pages may have measured on the same machine.
"""

import dataclasses
import math

from onthefly.measure import models, records
from onthefly.measure.timings import Measured
from onthefly.predict import left_out
from onthefly.predict.left_out import Case
from onthefly.predict.prediction import FARTHEST, Cost
from onthefly.terminal.words import counted

# Where another page measured the same: (page, group, and what is the same).
STARTED = "compiled-ahead", "first calls"  # starts of programs
STARTED_BY, STARTED_SIZE = "collatz", 1000  # that make one such call
SHARED = "how-many-workers", "threads"  # one call's work, shared by threads


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of prediction.

    name       of what is predicted
    from_      what it was predicted from
    cases      left_out.Case of each prediction
    unknown    why there are none, a sentence
    """

    name: str
    from_: str
    cases: list
    unknown: str = "Nothing was measured that can be left out."

    @property
    def share(self):
        """The share that came within a fifth, a Quantity."""
        return left_out.share(self.cases)

    @property
    def worst(self):
        """The Case that is furthest off, or None."""
        return max(
            self.cases, key=lambda one: abs(math.log(one.ratio)), default=None
        )


def elsewhere(slug):
    """Return {page: Measured} of the other pages that a machine measured.

    slug  of the machine; its own run comes before its recorded one
    """
    found = {}
    for page, _ in (STARTED, SHARED):
        every = [*records.builds(page), *records.recorded(page)]
        own = [one for one in every if one.machine["slug"] == slug]
        if own:
            found[page] = Measured(own[0])
    return found


def kinds(every, others):
    """Return the Kinds of a machine, as the page lists them.

    every   {name of a problem: Choices}
    others  {page: Measured}, as `elsewhere` returns
    """
    some = next(iter(every.values()))
    return [
        Kind("Warm calls", "other sizes of the method", _warm(every)),
        Kind(
            "Conversions",
            "other sizes of the conversion",
            _each(every, conversions),
        ),
        Kind(
            "Imports",
            "an earlier process",
            left_out.last_processes(some.measured.timings["starts"]),
        ),
        _first_calls(every, others),
        _more_cores(some.workers, others),
        Kind(
            "Larger sizes than measured",
            "smaller sizes, by a straight line",
            _each(every, lambda one: one.larger),
        ),
    ]


def _each(every, cases):
    return [case for one in every.values() for case in cases(one)]


def _warm(every):
    return [
        Case(f"{variant} of {name} at {n:,}", predicted.value, measured.value)
        for name, one in every.items()
        for variant, n, predicted, measured in one.unseen
    ]


def conversions(choices):
    """Return the Cases of a problem's conversions between two sizes."""
    name = choices.problem.name
    times = choices.measured.timings.get(f"{name}, conversion")
    return left_out.sizes_between(times, f" of {name}") if times else []


def _first_calls(every, others):
    """Return the Kind of first calls.

    From earlier processes where there are some, otherwise from another page.
    """
    own = _each(every, lambda one: one.first_calls)
    if own:
        return Kind("First calls", "an earlier process", own)
    page, group = STARTED
    here = page in others and STARTED_BY in every
    cases = here and started(every[STARTED_BY], others[page].timings[group])
    return Kind(
        "First calls",
        "the method's start and first call",
        cases or [],
        "*Eight problems* measured each of them only once.",
    )


def started(choices, times):
    """Return the Cases of programs that import, and call once.

    choices  Choices of STARTED_BY
    times    Timings of such programs, which had loaded NumPy before
    """
    problem, cases = choices.problem, []
    for name in times.names:
        if name in choices.costs:
            predicted = choices.cost(
                name, STARTED_SIZE, imports=problem.start(name) != "numpy"
            )
            measured = times.seconds(name).value
            what = f"{name} of {problem.name}"
            cases.append(Case(what, predicted.value, measured))
    return cases


def _more_cores(workers, others):
    page, group = SHARED
    cases = page in others and shared(others[page].timings[group], workers)
    return Kind(
        "Other numbers of cores",
        "one worker, and another number",
        cases or [],
        f"This machine has {counted(workers, 'cores')}, and the record has "
        "times of one and of all, but of no number between.",
    )


def shared(times, workers):
    """Return the Cases of numbers of workers, by the model's formula.

    times    Timings of the same work, shared by as many workers as the size
    workers  the machine's cores

    Each is predicted from one worker and each other number, as far as the
    model reaches beyond that.
    """
    cases = []
    for name in times.names:
        numbers = [n for n in times.sizes(name) if n <= workers]
        if 1 not in numbers:
            continue
        took = {n: times.seconds(name, n).value for n in numbers}
        several = [n for n in numbers if n > 1]
        cases += [
            Case(
                f"{name} with {asked} workers, from {known}",
                _shared_by(asked, known, took),
                took[asked],
            )
            for known in several
            for asked in several
            if asked != known and asked <= FARTHEST * known
        ]
    return cases


def _shared_by(asked, known, took):
    """Return the seconds that the model predicts for a number of workers.

    took  {number of workers: seconds}
    """
    one, many = (
        models.Curve(((math.inf, took[n], 0.0),), 0.0, math.inf)
        for n in (1, known)
    )
    return Cost(0.0, 0.0, many, one, known).call(asked).at(1).value
