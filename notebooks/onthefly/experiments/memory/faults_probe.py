"""Page faults and system calls of a call of π, in a process of its own.

A `Probe` is a process whose allocator has settings of its own.
"""

import contextlib
import functools
import os
import statistics

from onthefly import clock
from onthefly.tools.processes import Program


class Probe(Program):
    """A process with settings of its own; a context manager.

    environment  variables, see `faults.settings`
    """

    def __init__(self, environment=()):
        own = {
            k: None  # not what this process was started with
            for k in os.environ
            if k in ("GLIBC_TUNABLES", "NUMPY_MADVISE_HUGEPAGE")
            or (k.startswith("MALLOC_") and k.endswith("_"))
        }
        own["OPENBLAS_NUM_THREADS"] = "1"  # a process that forks
        module = "onthefly.experiments.memory.faults_child"
        super().__init__(module, environment=own | dict(environment))

    def timed(self, shots, way="whole", **state):
        """Return (seconds, page faults) of a call of π.

        way    "whole", "chunks" or "buffers" (pi_numpy's ways)
        state  of the heap before it, by name: see `_state`

        Raises processes.Failed where the call does.
        """
        return self.ask("timed", shots, way, *_state(**state))

    def system_calls(self, calls, shots, way="whole", **state):
        """Return {system call: count a call} over so many calls of π.

        None where the system does not let one process watch another.
        """
        return self.ask("system_calls", calls, shots, way, *_state(**state))


def _state(freed=0, pin=False, reuse=False):
    """Return what faults_child._prepared brings the heap into.

    freed  bytes of one array that is made and freed
    pin    keep an array of 100 kB that lies above the one that is freed
    reuse  let NumPy reuse a temporary, for its first time
    """
    return freed, pin, reuse


@contextlib.contextmanager
def probing(ways):
    """Open the probes of some ways; give {name: Probe}.

    ways  as of `compare`

    Ways of one environment share a probe: it answers each question in a copy
    of itself.
    """
    with contextlib.ExitStack() as opened:
        probes = {
            variables: opened.enter_context(Probe(dict(variables)))
            for variables in {_variables(way) for way in ways.values()}
        }
        yield {name: probes[_variables(way)] for name, way in ways.items()}


def _variables(way):
    environment, _ = way
    return tuple(sorted(environment.items()))


def compare(ways, sizes, rounds, seed=0):
    """Measure calls of π in probes, in turns; return (Timings, page faults).

    ways    {name: (environment, options of `Probe.timed`)}
    sizes   shots of a call
    rounds  each asks every probe for every size
    seed    of the order within a round

    The page faults are {(name, size): median of the rounds}.
    """
    faults = {}

    def ask(name, size):
        seconds, count = probes[name].timed(size, **ways[name][1])
        faults.setdefault((name, size), []).append(count)
        return seconds

    with probing(ways) as probes:
        times = clock.sample(
            {name: functools.partial(ask, name) for name in ways},
            sizes=sizes,
            least=rounds,
            rounds=rounds,
            seed=seed,
            first="unknown",
        )
    return times, {k: statistics.median(v) for k, v in faults.items()}
