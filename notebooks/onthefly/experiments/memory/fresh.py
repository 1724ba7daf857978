"""Calls in a fresh process: their seconds, page faults and system calls.

A process remembers: what it has made and freed decides where the C library
takes its next arrays from.  So each answer comes from a process of its own,
which has imported NumPy and done nothing else::

    fresh(hits)                      calls hits(size)
    fresh(hits_into, two_arrays)     calls hits_into(*two_arrays(size))
    fresh(hits).after(drop, 10**6)   calls drop(10**6) beforehand

Functions of a notebook are sent by value, and the reader's own work as well;
an array that they use as a global is sent, too, and disturbs what is asked.
Needs a system that forks, and Linux for the system calls.

Source of the question: Okuda, PyCon JP 2018, slide 32.
"""

import functools
import os

import cloudpickle

from onthefly.measure.samples import Reading
from onthefly.tools.processes import Program

# A process that compiles what it imports has holes in its heap, and arrays
# lie in these: so it may keep the bytecode, for itself and those after it.
BYTECODE = {"PYTHONDONTWRITEBYTECODE": None}


def fresh(job, arguments=None, **environment):
    """Return `job`, to be called in a fresh process: see `Fresh`.

    arguments    function: size -> the arguments of `job`; by default (size,)
    environment  variables of the process, e.g. MALLOC_TOP_PAD_=2**28
    """
    return Fresh(job, arguments, environment)


class Fresh:
    """A call in a fresh process; a sampler for `clock.sample`.

    job          function
    arguments    function: size -> the arguments of `job`; by default (size,)
    environment  {variable: value} of the process, besides this one's
    before       [(function, arguments)], called first; what they return is
                 kept as long as the process lives

    Whatever is asked raises processes.Failed with the text of an error.
    """

    def __init__(self, job, arguments=None, environment=None, before=()):
        self.job, self.arguments = job, arguments
        self.environment, self.before = environment or {}, before

    def after(self, job, *arguments):
        """Return the same, in a process that calls `job` beforehand."""
        before = (*self.before, (job, arguments))
        return Fresh(self.job, self.arguments, self.environment, before)

    def __call__(self, size):
        """Return the Reading of a call: seconds, and page faults."""
        seconds, faults = self._ask("timed", size)
        return Reading(seconds, {"page faults": faults})

    def traced(self, size):
        """Return what a call asks of the system for memory: {what: count}.

        Page faults, and the system calls that get memory or give it back, as
        a second process sees them (ptrace on Linux): none where it may not.
        """
        return self._ask("traced", size)

    def stepped(self, size):
        """Return how many machine instructions a call runs, one by one.

        {"instructions", "branches"}: all, and the conditional jumps among
        them.  None where no process may watch another, and off x86-64.
        """
        return self._ask("stepped", size)

    def per_element(self, few=2, many=8):
        """Return what `stepped` does, of one element more; or None.

        few, many  sizes whose difference tells it
        """
        less, more = self.stepped(few), self.stepped(many)
        if less is None:
            return None
        return {k: round((more[k] - less[k]) / (many - few)) for k in more}

    def _ask(self, what, size):
        work = (self.job, self.arguments, self.before)
        names = sorted(self.environment)
        program = _program(*((k, str(self.environment[k])) for k in names))
        return program.ask(what, cloudpickle.dumps(work), size)


@functools.cache
def _program(*environment):
    """Return the program that answers; it ends with this process.

    environment  pairs (variable, text)
    """
    default = {
        k: None  # not what this process was started with
        for k in os.environ
        if k in ("GLIBC_TUNABLES", "NUMPY_MADVISE_HUGEPAGE")
        or (k.startswith("MALLOC_") and k.endswith("_"))
    }
    default |= BYTECODE
    default["OPENBLAS_NUM_THREADS"] = "1"  # a process that forks
    return Program(
        f"{__name__}_child", environment=default | dict(environment)
    )
