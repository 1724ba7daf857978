"""The jump under one version of NumPy after another.

Each runs the program of `fresh` under a Python of its own.  Source of the
question: Okuda, PyCon JP 2018, slide 32.
"""

import contextlib
import sys
from functools import partial

import cloudpickle

from onthefly.experiments.memory import fresh, fresh_child, jump_job
from onthefly.experiments.then import environments
from onthefly.measure import clock, libraries
from onthefly.measure.samples import Reading
from onthefly.tools.processes import Program

# {an environment of scripts/old_stack.py: what it is}.  Not among
# environments.NAMES, on whose file all measurements of then hang.
ENVIRONMENTS = {
    "numpy-1.17.0": "the first NumPy with Generator, under Python 3.7",
    "numpy-1.17.5": "the last of that series, under Python 3.7",
    "numpy-1.26": "the last NumPy 1, under this Python",
    "numpy-2.0": "the first NumPy 2, under this Python",
    "numpy-2.2": "NumPy of December 2024, under this Python",
}
# {environment: the minor version of its Python}
MINORS = {
    name: 7 if name.startswith("numpy-1.17") else sys.version_info.minor
    for name in ENVIRONMENTS
}


def pythons():
    """Return {version of NumPy: path of its interpreter}; today's is last."""
    old = {
        name.removeprefix("numpy-"): str(environments.python(name))
        for name in ENVIRONMENTS
    }
    return old | {libraries.version("numpy"): sys.executable}


def made():
    """Tell whether scripts/old_stack.py has made all of them."""
    return all(environments.python(name).exists() for name in ENVIRONMENTS)


def taken(sizes, budget, seed=0):
    """Return the Samples of hits(shots) in fresh processes, by version.

    sizes   numbers of shots
    budget  seconds for all rounds

    Each reading has the "page faults" of a call.
    """
    # The oldest of these Pythons reads no newer protocol.
    work = cloudpickle.dumps((jump_job.hits, None, ()), protocol=4)
    settings = fresh.BYTECODE | {"OPENBLAS_NUM_THREADS": "1"}
    with contextlib.ExitStack() as running:
        samplers = {
            version: partial(
                _reading,
                running.enter_context(
                    Program(
                        fresh_child.__name__,
                        python=python,
                        environment=settings,
                    )
                ),
                work,
            )
            for version, python in pythons().items()
        }
        return clock.sample(
            samplers, sizes=sizes, budget=budget, first="unknown", seed=seed
        )


def _reading(program, work, shots):
    seconds, faults = program.ask("timed", work, shots)
    return Reading(seconds, {"page faults": faults})
