"""The talk's TensorFlow under the talk's Dask, in processes of their own.

Source: Okuda, PyCon JP 2018, slides 40 and 52 to 54.
"""

import contextlib
import time

from onthefly.experiments.dask import trials
from onthefly.experiments.then import environments
from onthefly.tools.processes import Program

FORMS = ("eager", "session")


def tensorflow(number, threads, *, shots=100_000, rounds=3, limit=60):
    """Return what became of so many processes of each of FORMS, a list.

    number  of processes; the others as in `trials.trials`, whose results
            these are

    [] where scripts/old_stack.py has made no Dask of 2018.
    """
    python = environments.made("dask-").get("2018")
    repeats = range(number if python else 0)
    return [
        one
        for _ in repeats
        for one in _side_by_side(python, threads, shots, rounds, limit)
    ]


def _side_by_side(python, threads, shots, rounds, limit):
    """Return what became of a process of each form."""
    with contextlib.ExitStack() as stack:
        running = {
            form: stack.enter_context(
                Program(
                    f"{__package__}.trials_2018_child",
                    python=python,
                    environment={
                        "TF_CPP_MIN_LOG_LEVEL": "3",
                        "CUDA_VISIBLE_DEVICES": "",
                    },
                )
            )
            for form in FORMS
        }
        until = time.monotonic() + limit
        for form, program in running.items():
            for count in threads:
                program.send("estimates", form, shots, rounds, count)
        return [
            trials.watched(program, [(form, n) for n in threads], until)
            for form, program in running.items()
        ]
