"""Which of the TensorFlows of 2017 and 2018 that are here execute eagerly."""

from onthefly.experiments.then import environments
from onthefly.tools.processes import Failed, Program

CHILD = "onthefly.experiments.then.tensorflow_child"
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""}


def outcomes():
    """Return {version: "" where it executes eagerly, else the refusal}."""
    pythons = environments.made("tensorflow-")
    return {version: _refusal(path) for version, path in pythons.items()}


def _refusal(python):
    """Return "" where the talk's program runs eagerly, else the error."""
    with Program(CHILD, python=python, environment=QUIET) as program:
        program.ask("versions")  # it works at all
        try:
            program.ask("start", "eager")
            program.ask("estimate", 100, 1)
        except Failed as error:
            return error.text
    return ""
