"""Whether another processor takes the code that Numba has on disk."""

import pathlib
import tempfile

from onthefly.experiments.numba import cached_again_child
from onthefly.tools.processes import Program

LOOP = """\
import numba


@numba.njit(cache=True)
def total(n):
    found = 0
    for k in range(n):
        found += k
    return found
"""
# {process: the processor that it compiles for; None: the machine's}
PROCESSES = {
    "the first one": None,
    "a second one": None,
    "one for another processor": "generic",
}


def elsewhere():
    """Return {process: whether it compiled}, of those that share a cache.

    They run one after the other.  That the last one runs on another processor
    is only said to Numba, by NUMBA_CPU_NAME.
    """
    compiled = {}
    with tempfile.TemporaryDirectory(prefix="cached") as folder:
        pathlib.Path(folder, "loop.py").write_text(LOOP)
        for process, processor in PROCESSES.items():
            with Program(
                cached_again_child.__name__,
                environment={"NUMBA_CPU_NAME": processor},
            ) as program:
                compiled[process], _ = program.ask("called", folder, 10)
    return compiled
