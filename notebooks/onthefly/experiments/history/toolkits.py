"""The cells of the table of toolkits that can be tried today.

The table is that of Shin, The Flow of TensorFlow (2017), slide 38.  Each
toolkit runs in a process of its own.
"""

import contextlib
import tempfile

from onthefly.measure import machine
from onthefly.tools.processes import Program

CHILD = "onthefly.experiments.history.toolkits_child"
CHILD_THEN = "onthefly.experiments.history.toolkits_then_child"
TOOLKITS = ("TensorFlow", "Eager", "Keras", "PyTorch")

# What the slide prints: "yes" for O, "no" for X.
PRINTED = {
    "interactive": dict(
        zip(TOOLKITS, ("no", "yes", "no", "yes"), strict=True)
    ),
    "several cores": dict(
        zip(TOOLKITS, ("yes", "no", "yes", "yes"), strict=True)
    ),
    "several processes": {"PyTorch": "no"},
}


def several_processes():
    """Return "yes" or "no": do two processes of PyTorch add their numbers?"""
    with (
        tempfile.TemporaryDirectory() as folder,
        Program(CHILD) as one,
        Program(CHILD) as other,
    ):
        for rank, program in enumerate((one, other)):
            program.send("total", folder, rank)
        results = [program.receive() for program in (one, other)]
    return _said(results == [3.0, 3.0])


def tried():
    """Return {question: {toolkit: "yes", "no" or None}} of today.

    interactive        has a product a value as it is written?
    several cores      does one operation keep several cores busy?  None
                       where there is one core
    several processes  do two of them add their numbers?
    """
    with contextlib.ExitStack() as running:
        programs = {
            name: running.enter_context(Program(CHILD)) for name in TOOLKITS
        }
        for name, program in programs.items():  # all import at once
            program.send("interactive", name)
        return {
            "interactive": {
                name: _said(program.receive())
                for name, program in programs.items()
            },
            "several cores": {  # one by one: cores are few
                name: _several_cores(program, name)
                for name, program in programs.items()
            },
            "several processes": {"PyTorch": several_processes()},
        }


def tried_then(python):
    """Return what `tried` does of TensorFlow 1.5, without PyTorch.

    python  path of the interpreter that has it

    PyTorch of 2017 is on no package index.
    """
    outcomes = {"interactive": {}, "several cores": {}}
    with Program(CHILD_THEN, python=python) as origin:  # imports once
        for name in TOOLKITS[:3]:
            with origin.fork() as program:
                program.ask("start", name)
                said = _said(program.ask("interactive", name))
                outcomes["interactive"][name] = said
                cores = _several_cores(program, name)
                outcomes["several cores"][name] = cores
    return outcomes


def _several_cores(program, toolkit):
    if machine.usable_cores() < 2:
        return None
    return _said(program.ask("threads", toolkit) > 1)


def rows(outcomes, then=None):
    """Return a table's rows: question, toolkit, printed, then, today.

    outcomes  what `tried` returns
    then      what `tried_then` returns, where it was asked
    """
    return [
        {
            "question": question,
            "toolkit": toolkit,
            "printed in 2017": PRINTED[question][toolkit],
            "TensorFlow 1.5": (then or {}).get(question, {}).get(toolkit),
            "today": today or "not tried: one core",
        }
        for question, answers in outcomes.items()
        for toolkit, today in answers.items()
    ]


def as_printed(outcomes):
    """Return a list of booleans: does a tried cell come out as printed?

    outcomes  what `tried` or `tried_then` returns
    """
    return [
        today == PRINTED[question][toolkit]
        for question, answers in outcomes.items()
        for toolkit, today in answers.items()
        if today is not None
    ]


def _said(true):
    return "yes" if true else "no"
