"""Ask two stacks of Python, NumPy and Numba the same: 2018's and today's.

Each stack is a process of its own.
"""

import contextlib
import functools
import sys
import tempfile

from onthefly import clock, results
from onthefly.experiments.numba import probes
from onthefly.tools.processes import Program

HERE = __package__
SAMPLE = 0.008  # seconds that a sample lasts, about


def folder():
    """Return where scripts/old_stack.py puts the stack of 2018."""
    return results.build_dir() / "old_stack"


def old_python():
    """Return the path of the old stack's interpreter, made or not."""
    return folder() / "bin" / "python"


def pythons():
    """Return {"then": path, "now": path}, without "then" where it lacks."""
    old = {"then": str(old_python())} if old_python().exists() else {}
    return old | {"now": sys.executable}


def stack(python=sys.executable, inline=None):
    """Return a Program that answers the functions of stacks_child.

    python  the interpreter, which has NumPy and Numba
    inline  LLVM's limit of cost for a function that it inlines
    """
    more = {} if inline is None else {"ONTHEFLY_INLINE": str(inline)}
    module = f"{HERE}.stacks_child"
    return Program(module, python=python, environment=more)


def measure(stacks, ways, shots, rounds, seed=0):
    """Return the Timings of a call, by "<way>, <stack>".

    stacks  {name: Program of `stack`}
    ways    {stack name: list of ways}
    shots   points of a call
    rounds  each takes one sample of every way and stack
    seed    of the order within a round
    """
    samplers = {}
    for name, program in stacks.items():
        for way in ways[name]:
            program.ask("seconds", way, 10, 1)  # compiles
            once = program.ask("seconds", way, shots, 1)
            samplers[f"{way}, {name}"] = functools.partial(
                program.ask, "seconds", way, shots, 1 + int(SAMPLE / once)
            )
    return clock.sample(
        samplers, least=rounds, rounds=rounds, seed=seed, first="unknown"
    )


def outcomes(interpreters, quick=False, parts=2):
    """Run the probes on several stacks at once.

    interpreters  {stack: path of one that has NumPy and Numba}
    quick         without those that take long to compile
    parts         processes of each

    Returns {stack: {group: {probe: outcome}}}; see probes_child.  Raises
    processes.ProcessError where a process ends or hangs.
    """
    rows = [
        (group, name, source)
        for group, found in probes.probes().items()
        for name, source in found.items()
        if not (quick and name in probes.SLOW)
    ]
    with contextlib.ExitStack() as opened:
        asked = {
            (k, part): opened.enter_context(_probing(python))
            for k, python in interpreters.items()
            for part in range(parts)
        }
        for (_, part), program in asked.items():
            sources = [(group, text) for group, _, text in rows[part::parts]]
            program.send("outcomes", sources)
        texts = {}
        for (k, part), program in asked.items():
            texts.setdefault(k, [None] * len(rows))
            texts[k][part::parts] = program.receive()
    return {k: _grouped(rows, found) for k, found in texts.items()}


def _probing(python):
    # Does it compile?  Not: how fast.
    slack = {"NUMBA_OPT": "0"}
    module = f"{HERE}.probes_child"
    return Program(module, python=python, environment=slack)


def _grouped(rows, texts):
    """Return {group: {probe: outcome}}."""
    found = {}
    for (group, name, _), text in zip(rows, texts, strict=True):
        found.setdefault(group, {})[name] = text
    return found


def cached_starts(starts=2):
    """Call a cached function in processes, one after the other.

    None of them has compiled it before; all share a folder that is thrown
    away.  Returns [(seconds of the first call, loaded from the cache), ...].
    """
    module, found = f"{HERE}.cached_child", []
    with tempfile.TemporaryDirectory() as name:
        environment = {"NUMBA_CACHE_DIR": name}
        with Program(module, environment=environment) as program:
            program.ask("warm")
            for _ in range(starts):
                with program.fork() as start:
                    found.append(start.ask("first_call"))
    return found
