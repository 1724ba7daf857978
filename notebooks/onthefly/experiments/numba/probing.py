"""Put the probes of what Numba compiles to several stacks at once.

Each stack is asked in processes of its own.
"""

import contextlib

from onthefly.experiments.numba import probes
from onthefly.tools.processes import Program


def outcomes(interpreters, parts=2):
    """Run the probes on several stacks at once.

    interpreters  {stack: path of one that has NumPy and Numba}
    parts         processes of each

    Returns {stack: {group: {probe: outcome}}}; see probes_child.  Raises
    processes.ProcessError where a process ends or hangs.
    """
    rows = [
        (group, name, source)
        for group, programs in probes.probes().items()
        for name, source in programs.items()
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
    return {k: _grouped(rows, programs) for k, programs in texts.items()}


def _probing(python):
    # Does it compile?  Not: how fast.
    slack = {"NUMBA_OPT": "0"}
    module = f"{__package__}.probes_child"
    return Program(module, python=python, environment=slack)


def _grouped(rows, texts):
    """Return {group: {probe: outcome}}."""
    groups = {}
    for (group, name, _), text in zip(rows, texts, strict=True):
        groups.setdefault(group, {})[name] = text
    return groups
