"""Copies within the host, in processes whose C library has a setting.

A copy's target lies past its source by so many bytes.  Whole pages do not
count: a distance is that of the last twelve bits of the two addresses.
"""

import functools
from pathlib import Path

from onthefly.experiments.memory.fresh import BYTECODE
from onthefly.tools.processes import Program, answer

CHILD = f"{__name__}_child"
THRESHOLD = "glibc.cpu.x86_rep_movsb_threshold"


class Copier:
    """A process of its own, which makes arrays and times copies.

    threshold  bytes from which on glibc may copy by REP MOVSB, an
               instruction that copies any number of bytes; by default as
               glibc chooses

    The process begins with the first copy.  A context manager, which ends
    it; else it ends with this one.
    """

    def __init__(self, threshold=None):
        self._threshold = threshold

    @functools.cached_property
    def _program(self):
        environment = dict(BYTECODE)
        if self._threshold:
            environment["GLIBC_TUNABLES"] = f"{THRESHOLD}={self._threshold}"
        return Program(CHILD, environment=environment)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if "_program" in vars(self):
            self._program.__exit__(*error)

    def by_distance(self, size):
        """Return the sampler of a copy of `size` bytes: seconds(distance)."""

        def seconds(distance):
            return self._program.ask("seconds", size, distance)

        return seconds

    def by_size(self, distance):
        """Return the sampler of copies at a distance: seconds(size)."""

        def seconds(size):
            return self._program.ask("seconds", size, distance)

        return seconds


def promises():
    """Return what the processor says of REP MOVSB, a list of flags.

    "erms": it is fast; "fsrm": for few bytes, too.  Empty where the system
    does not tell.
    """
    try:
        words = Path("/proc/cpuinfo").read_text().split()
    except OSError:
        return []
    return [flag for flag in ("erms", "fsrm") if flag in words]


def neighbours(sizes):
    """Return {size: how far apart two new arrays lie in a page}.

    In a process of its own; two arrays of `size` bytes, one made after the
    other.
    """
    return answer(CHILD, "neighbours", sizes, environment=BYTECODE)
