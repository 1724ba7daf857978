"""Ask two stacks of Python, NumPy and Numba the same: 2018's and today's.

Each stack is a process of its own.
"""

import contextlib
import functools
import sys
import tempfile

from onthefly.experiments.then import environments
from onthefly.kernels import z_score
from onthefly.measure import clock
from onthefly.measure.samples import Reading
from onthefly.tools.processes import Program

HERE = __package__
SAMPLE = 0.008  # seconds that a sample lasts, about
ROUNDS = 10  # at least, whatever the budget
WAYS = ("Python", "NumPy", "Numba")
STEPPED = {"Numba", "forced"}  # ways whose instructions are counted


def pythons():
    """Return {"then": path, "now": path}, without "then" where it lacks."""
    then = environments.python("numba-2018")
    old = {"then": str(then)} if then.exists() else {}
    return old | {"now": sys.executable}


def stack(python=sys.executable):
    """Return a Program that answers the functions of stacks_child.

    python  an interpreter that has NumPy and Numba
    """
    return Program(f"{HERE}.stacks_child", python=python)


def then_and_now(budget, *, seed=0, shots=10**5):
    """Return the Samples of a call of π, by "<way>, <stack>".

    budget  seconds for all rounds; `ROUNDS` are taken in any case
    seed    of the order within a round
    shots   points of a call

    The ways are `WAYS` on each stack of `pythons`, and "forced" on today's:
    the compiled loop with ``forceinline=True``.  Each compiled one has the
    counts of `stacks_child.instructions`, where they can be counted.
    """
    with contextlib.ExitStack() as opened:
        asked = {
            k: opened.enter_context(stack(python))
            for k, python in pythons().items()
        }
        ways = [(way, k) for k in asked for way in WAYS] + [("forced", "now")]
        samplers = {
            f"{way}, {k}": _sampler(asked[k], way, shots) for way, k in ways
        }
        return clock.sample(
            samplers, budget=budget, least=ROUNDS, seed=seed, first="unknown"
        )


def _sampler(program, way, shots):
    """Return a function that takes a Reading of a call, compiled before.

    Raises ValueError for a way that does not estimate π.
    """
    estimate = program.ask("estimate", way, shots)
    if z_score(estimate, shots) > 5:
        raise ValueError(f"{way}: {estimate} is not π")
    counts = {}
    if way in STEPPED:
        counts = program.ask("instructions", way, 4, 16)
    take = _timed(program, way, shots)
    return lambda: Reading(take(), counts)


def _timed(program, way, shots):
    """Return a function that takes the seconds of a call, compiled before."""
    once = program.ask("seconds", way, shots, 1)
    calls = 1 + int(SAMPLE / once)
    return functools.partial(program.ask, "seconds", way, shots, calls)


class Inlined:
    """The compiled loop, where LLVM may inline what costs below a limit.

    A sampler for `clock.sample`, called with the limit; each limit has a
    process of its own.  A context manager: they start with the first sample,
    and end with it.

    limits  numbers, as of LLVM's option ``-inline-threshold``
    shots   points of a call
    """

    def __init__(self, limits, shots=10**5):
        self._limits, self._shots = limits, shots
        self._opened = contextlib.ExitStack()

    @functools.cached_property
    def _takes(self):
        opened = self._opened
        program = opened.enter_context(stack())
        copies = {
            limit: opened.enter_context(program.fork())
            for limit in self._limits
        }
        for limit, copy in copies.items():
            copy.ask("inline", limit)
            copy.send("estimate", "Numba", 1)  # all compile at once
        for copy in copies.values():
            copy.receive()
        return {
            limit: _timed(copy, "Numba", self._shots)
            for limit, copy in copies.items()
        }

    def __call__(self, limit):
        """Return the seconds of a call under this limit."""
        return self._takes[limit]()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._opened.close()


def cached_starts(starts=2):
    """Call a cached function in processes, one after the other.

    None of them has compiled it before; all share a folder that is thrown
    away.  Returns [(seconds of the first call, loaded from the cache), ...].
    """
    module, calls = f"{HERE}.cached_child", []
    with tempfile.TemporaryDirectory() as name:
        environment = {"NUMBA_CACHE_DIR": name}
        with Program(module, environment=environment) as program:
            program.ask("warm")
            for _ in range(starts):
                with program.fork() as start:
                    calls.append(start.ask("first_call"))
    return calls
