"""Which of the TensorFlows of 2017 and 2018 that are here execute eagerly."""

import contextlib

from onthefly.experiments.then import programs, tensorflow
from onthefly.tools.processes import Failed


def outcomes():
    """Return {version: "" where it executes eagerly, else the refusal}."""
    versions = [v for v in programs.pythons() if v != programs.TODAY]
    with contextlib.ExitStack() as opened:
        running = {
            v: opened.enter_context(programs.program(tensorflow.CHILD, v))
            for v in versions
        }  # all import at once
        return {v: _refusal(program) for v, program in running.items()}


def _refusal(program):
    """Return "" where the talk's program runs eagerly, else the error."""
    program.ask("hits_numpy", 100)  # it works at all
    try:
        program.ask("start", "eager")
        program.ask("estimate", 100, 1)
    except Failed as error:
        return error.text
    return ""
