"""Races of two threads: here and under other interpreters, and their shares.

What runs is in `race_standalone`; here it becomes Quantities.
"""

import dataclasses
import functools
import math
import statistics
import sys

from onthefly.experiments.gil import race_standalone
from onthefly.measure.quantity import Quantity
from onthefly.tools import interpreter_child, interpreters
from onthefly.tools.processes import Program

FREE = " free-threaded"  # behind the version of a build without a GIL


@dataclasses.dataclass(frozen=True)
class Sweep:
    """Races at several lengths.

    runs  {steps: {"ends": what each run lost, "seconds": of each}}
    """

    runs: dict

    def lengths(self):
        """Return {seconds of a run: what each lost}: medians, ascending."""
        pairs = (
            (statistics.median(run["seconds"]), run["ends"])
            for run in self.runs.values()
        )
        return dict(sorted(pairs, key=lambda pair: pair[0]))

    def shares(self, unit=1.0):
        """Return {length of a run: share of wrong ones}, ascending.

        unit  seconds in which lengths are told
        """
        return {k / unit: wrong(ends) for k, ends in self.lengths().items()}

    def each(self):
        """Return [(seconds of a run, what it lost)] of all runs."""
        return [
            pair
            for run in self.runs.values()
            for pair in zip(run["seconds"], run["ends"], strict=True)
        ]

    def ends(self, low=0.0, high=math.inf):
        """Return what the runs lost that lasted so long, a list.

        low, high  seconds
        """
        return [end for took, end in self.each() if low <= took <= high]

    def shortest(self):
        """Return the seconds of the shortest wrong run, None without any."""
        torn = (took for took, end in self.each() if end)
        return min(torn, default=None)

    def threshold(self):
        """Return the length at which runs begin to be wrong, a Quantity.

        It is the median length of the shortest runs of which some are wrong,
        and reaches down to the next shorter, of which none is.  Without any
        wrong run it lies beyond the longest length: nothing bounds it.
        """
        below = -math.inf
        for length, ends in self.lengths().items():
            if any(ends):
                return Quantity(length, below, length, "s")
            below = length
        note = "no wrong run up to this length"
        return Quantity(below, below, math.inf, "s", note)


def wrong(ends):
    """Return the share of runs that did not end at zero, a Quantity."""
    return Quantity.share(sum(end != 0 for end in ends), len(ends))


def right(ends):
    """Return the share of runs that did end at zero, a Quantity."""
    return Quantity.share(ends.count(0), len(ends))


def losses(run, steps, runs, interval=None, ask=None):
    """Race some times at one length; return what each run lost, a list.

    run       an update's text, or a function of steps that returns what got
              lost
    interval  the switch interval, in seconds; by default the interpreter's
    ask       of a Program of `race_standalone`, to race there
    """
    by_length = (ask or _here)("sweep", run, [steps], runs, interval)
    return by_length[steps]["ends"]


def lengths(run, seconds, rounds, interval=None, ask=None):
    """Race at several lengths of a run; return the `runs` of a Sweep.

    run       as in `losses`
    seconds   about so long
    rounds    of one run a length
    interval  as in `losses`
    ask       of a Program of `race_standalone`, to race there
    """
    ask = ask or _here
    pace = ask("pace", run)
    steps = sorted({max(1, round(each / pace)) for each in seconds})
    return ask("sweep", run, steps, rounds, interval)


def _here(function, *arguments):
    return getattr(race_standalone, function)(*arguments)


def under(names, updates):
    """Race updates under several interpreters; return what the runs lost.

    names    of interpreters, as `pythons` returns them
    updates  {update: (steps of a run, runs)}

    A dict for each interpreter: "CPython", its name, and {update: losses}.
    """
    return [
        {"CPython": name}
        | {
            update: losses(update, steps, runs, ask=program(name).ask)
            for update, (steps, runs) in updates.items()
        }
        for name in names
    ]


def _by_name():
    """Return {name: what is known of an interpreter}, the oldest first.

    One for each version and kind of interpreter of this machine; of those
    that differ in their last number alone, this one, or the newest.
    """
    by_kind = {}
    for python in interpreters.find():
        kind = python["minor"], python["gil"]
        if by_kind.get(kind, {}).get("path") != sys.executable:
            by_kind[kind] = python
    return {named(python): python for python in by_kind.values()}


def pythons():
    """Return the names of this machine's interpreters, the oldest first."""
    return list(_by_name())


@functools.cache
def program(name):
    """Return the Program of `race_standalone` under an interpreter.

    name  one of `pythons`

    It starts when it is first asked for, and ends with this process.
    """
    path = _by_name()[name]["path"]
    return Program(race_standalone.__name__, python=path)


def named(python):
    """Return the version of an interpreter, and whether it has no GIL.

    python  as `interpreters.find` tells of it
    """
    return python["version"] + ("" if python["gil"] else FREE)


def this():
    """Return the name of the interpreter that runs this."""
    return named(interpreter_child.facts())


def has_gil(name):
    """Tell whether an interpreter of this name has a GIL."""
    return not name.endswith(FREE)


def minor(name):
    """Return the minor version of an interpreter of this name."""
    return int(name.split(".")[1])


def turns(name):
    """Return a sampler of how long a thread runs at a stretch.

    name  one of `pythons`
    """
    return lambda: program(name).ask("a_slice")


def told(stops):
    """Return {instruction: stops}, of those in the update and those met.

    stops  as `race_standalone.stops` returns them
    """
    return {
        stop["instruction"]: stop["stops"]
        for stop in stops
        if stop["inside"] or stop["stops"]
    }


def inside(stops):
    """Return the share of stops between load and store, a Quantity.

    stops  as `race_standalone.stops` returns them
    """
    within = sum(stop["stops"] for stop in stops if stop["inside"])
    return Quantity.share(within, sum(stop["stops"] for stop in stops))
