"""The cells of the table of toolkits that can be tried today.

The table is that of Shin, The Flow of TensorFlow (2017), slide 38.  Each
try runs in a process of its own.
"""

import tempfile

from onthefly import machine
from onthefly.tools.processes import Program

CHILD = "onthefly.experiments.history.toolkits_child"
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


def alone(toolkit):
    """Return what one process of a toolkit can do: {question: answer}.

    interactive    "yes" or "no": has a product a value as it is written?
    several cores  "yes" or "no": does one operation keep several cores
                   busy?  None where there is one core
    """
    with Program(CHILD) as program:
        found = {"interactive": _said(program.ask("interactive", toolkit))}
        several = None
        if machine.usable_cores() > 1:
            several = _said(program.ask("threads", toolkit) > 1)
    return found | {"several cores": several}


def several_processes():
    """Return "yes" or "no": do two processes of PyTorch add their numbers?"""
    with (
        tempfile.TemporaryDirectory() as folder,
        Program(CHILD) as one,
        Program(CHILD) as other,
    ):
        for rank, program in enumerate((one, other)):
            program.send("total", folder, rank)
        found = [program.receive() for program in (one, other)]
    return _said(found == [3.0, 3.0])


def tried():
    """Return {(question, toolkit): "yes", "no" or None} of today."""
    each = {name: alone(name) for name in TOOLKITS}
    found = {
        (question, name): each[name][question]
        for question in ("interactive", "several cores")
        for name in TOOLKITS
    }
    found["several processes", "PyTorch"] = several_processes()
    return found


def rows(found):
    """Return a table's rows: question, toolkit, printed, today.

    found  what `tried` returns
    """
    return [
        {
            "question": question,
            "toolkit": toolkit,
            "printed in 2017": PRINTED[question][toolkit],
            "today": today or "not tried: one core",
        }
        for (question, toolkit), today in found.items()
    ]


def as_printed(found):
    """Return a list of booleans: does a tried cell come out as printed?"""
    return [
        today == PRINTED[question][toolkit]
        for (question, toolkit), today in found.items()
        if today is not None
    ]


def _said(true):
    return "yes" if true else "no"
