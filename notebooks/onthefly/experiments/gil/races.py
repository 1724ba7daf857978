"""Races of two threads: here and under other interpreters, and their shares.

What runs is in `race_standalone`; here it becomes Quantities.
"""

import dataclasses
import statistics

from onthefly.experiments.gil import race_standalone
from onthefly.quantity import Quantity
from onthefly.tools import interpreters
from onthefly.tools.processes import Program


@dataclasses.dataclass(frozen=True)
class Sweep:
    """Races at several lengths.

    lengths   {steps: seconds of a run, the median}
    shares    {steps: Quantity, the share of runs that lost something}
    shortest  seconds of the shortest wrong run; None where none was
    """

    lengths: dict[int, float]
    shares: dict[int, Quantity]
    shortest: float | None

    @classmethod
    def of(cls, found):
        """Take what `race_standalone.sweep` returns."""
        wrong = [
            seconds
            for runs in found.values()
            for end, seconds in zip(runs["ends"], runs["seconds"], strict=True)
            if end
        ]
        return cls(
            {n: statistics.median(r["seconds"]) for n, r in found.items()},
            {n: share(r["ends"]) for n, r in found.items()},
            min(wrong, default=None),
        )

    def by_length(self, unit=1.0):
        """Return {length of a run: share}, ascending.

        unit  seconds in which lengths are told
        """
        pairs = ((self.lengths[n] / unit, q) for n, q in self.shares.items())
        return dict(sorted(pairs, key=lambda pair: pair[0]))

    def threshold(self):
        """Return the length at which runs begin to be wrong, a Quantity.

        It is the mean length of the shortest runs of which some are wrong,
        and reaches down to the next shorter, of which none is; without any
        wrong run it is the longest length, and its note says so.
        """
        lengths, below = self.by_length(), -float("inf")
        for length, lost in lengths.items():
            if lost.value:
                return Quantity(length, below, length, "s")
            below = length
        note = "no wrong run up to this length"
        return Quantity(below, below, below, "s", note)


def share(ends):
    """Return the share of runs that did not end at zero, a Quantity."""
    return Quantity.share(sum(end != 0 for end in ends), len(ends))


def wrong(run, steps, runs, interval=None):
    """Race some times at one length; return the share of wrong runs.

    run       an update's text, or a function of steps that returns what got
              lost
    interval  the switch interval, in seconds; by default the interpreter's
    """
    found = race_standalone.sweep(run, [steps], runs, interval)
    return share(found[steps]["ends"])


def lengths(run, seconds, rounds, interval=None, ask=None):
    """Race at several lengths of a run; return a Sweep.

    run       as in `wrong`
    seconds   about so long
    rounds    of one run a length
    interval  as in `wrong`
    ask       of a Program of `race_standalone`, to race there
    """
    ask = ask or _here
    pace = ask("pace", run)
    steps = sorted({max(1, round(each / pace)) for each in seconds})
    return Sweep.of(ask("sweep", run, steps, rounds, interval))


def _here(function, *arguments):
    return getattr(race_standalone, function)(*arguments)


def pythons():
    """Return {name: Program of `race_standalone`}, the oldest first.

    One for each interpreter of this machine.  They end with this process.
    """
    return {
        named(python): Program(race_standalone.__name__, python=python["path"])
        for python in interpreters.find()
    }


def named(python):
    """Return the version of an interpreter, and whether it has no GIL.

    python  as `interpreters.find` tells of it
    """
    return python["version"] + ("" if python["gil"] else " free-threaded")
