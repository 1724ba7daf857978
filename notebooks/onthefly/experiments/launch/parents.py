"""How long a launch takes, by what its parent holds.

A parent is a process of its own: it has imported next to nothing, holds what
it is told to, and launches others.  Its functions: `parents_child`.
"""

import functools

import cloudpickle

from onthefly.experiments.launch import holdings, parents_child
from onthefly.measure.samples import Reading
from onthefly.tools.processes import Program


def parent(hold=None, *arguments):
    """Return a Program that holds what a function made.

    hold       function; of a notebook, too: what it uses is sent along
    arguments  of the function
    """
    program = Program(parents_child.__name__)
    if hold:
        program.ask("hold", cloudpickle.dumps((hold, arguments)))
    return program


class Launch:
    """A sampler of launches, from parents that hold more or less.

    how        one of `parents_child.LAUNCHES`
    hold       function, see `parent`; None for a parent that holds nothing
    arguments  of it, before the size

    Called with a size, it returns a Reading: the seconds of a launch and of
    the wait for its end, and the counts of `parents_child.counts`.  There is
    one parent a size, which is kept.
    """

    def __init__(self, how, hold=None, *arguments):
        self.how, self.hold, self.arguments = how, hold, arguments
        self._parents = {}

    def __call__(self, *size):
        if size not in self._parents:
            self._parents[size] = self._start(size)
        program, counts = self._parents[size]
        return Reading(program.ask("seconds", self.how), counts)

    def _start(self, size):
        """Return a parent that has launched before, and its counts."""
        program = parent(self.hold, *self.arguments, *size)
        program.ask("seconds", self.how)
        return program, program.ask("counts")


def here(how):
    """Return the sampler of launches whose parent is this very process."""
    return lambda: Reading(parents_child.seconds(how), parents_child.counts())


def written_again(mib):
    """Return a sampler: a parent forks, then writes to what it holds.

    mib  of ordinary memory, each page in use

    Seconds and page faults are those of the writing.
    """
    started = functools.cache(lambda: parent(holdings.every_page, mib))

    def sample():
        taken, faults = started().ask("write_again")
        return Reading(taken, {"page faults": faults})

    return sample
