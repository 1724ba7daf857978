"""Copies within the host, in processes whose C library has settings.

Each setting has a process of its own, whose memory nobody has used; their
copies are timed in turns.

Source of the question: Okuda, PyCon JP 2018, slide 32.
"""

import contextlib
import functools

from onthefly.clock import sample
from onthefly.tools.processes import Program, answer

CHILD = f"{__name__}_child"


@contextlib.contextmanager
def _programs(settings):
    """Give {name: Program} of {name: environment variables}."""
    with contextlib.ExitStack() as stack:
        yield {
            name: stack.enter_context(Program(CHILD, environment=variables))
            for name, variables in settings.items()
        }


def sweep(settings, sizes, **how):
    """Time copies of `sizes` bytes under each of the settings.

    settings  {name: environment variables}, e.g. `faults.settings(…)`
    how       goes to ``clock.sample``

    "fresh" makes the array that it writes to, "used" writes to one that was
    written before.  Returns (Timings with the series "<setting>, <way>"
    against bytes, {(setting, way, size): page faults of a copy}).
    """
    with _programs(settings) as programs:
        faults = {
            (name, *copy): count
            for name, program in programs.items()
            for copy, count in program.ask("fresh_and_used", sizes).items()
        }
        samplers = {
            f"{name}, {way}": functools.partial(_copy, program, way)
            for name, program in programs.items()
            for way in ("fresh", "used")
        }
        times = sample(samplers, sizes=sizes, first="unknown", **how)
    return times, faults


def _copy(program, way, size):
    return program.ask("seconds", (way, size))


def shifted(settings, size, distances, **how):
    """Time copies whose target lies past the source by so many bytes.

    The distance counts modulo a page: it is that of the last twelve bits of
    the two addresses.  Returns Timings with a series a setting, against the
    distance; `settings` and `how` as in `sweep`.
    """
    with _programs(settings) as programs:
        for program in programs.values():
            program.ask("shifted", size, distances)
        samplers = {
            name: functools.partial(program.ask, "seconds")
            for name, program in programs.items()
        }
        return sample(samplers, sizes=distances, first="unknown", **how)


def neighbours(sizes):
    """Return {size: how far apart two new arrays lie in a page}.

    In a process of its own; two arrays of `size` bytes, one made after the
    other.
    """
    return answer(CHILD, "neighbours", sizes)
