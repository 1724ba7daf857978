"""The calculator: a form, and the answers that its script looks up.

Every answer is worked out here, over a grid of what may be asked, by what
`onthefly choose` asks, too.  They lie in the page, compressed: a problem's
are unpacked when a reader asks for it.
"""

import base64
import itertools
import json
import zlib

import templates
from onthefly.kernels.methods import KINDS
from onthefly.kernels.problems import PROBLEMS
from onthefly.predict import answers, sentences

SIZES = (*(k * 10**p for p in range(1, 7) for k in (1, 3)), 10**7)
CALLS = tuple(10**p for p in (0, 2, 4, 6))
CORES = (1, 4)  # beside the machine's own
DATA = ("lists", "arrays")
SHOWN = 5  # methods in the table, beside Python's own loop


def form(machines, every, here):
    """Return the calculator as HTML.

    machines  {machine: Measured}, as measurements.usable returns them
    every     {machine: {name of a problem: Choices}}
    here      name of the machine whose answers it gives
    """
    asked = {name: grid(choices) for name, choices in every[here].items()}
    return templates.render(
        "calculator.html",
        problems=[(k, f"{k}: {PROBLEMS[k].title}") for k in asked],
        sizes=[(n, f"{n:,}") for n in SIZES],
        calls=[(n, f"{n:,}") for n in CALLS],
        cores=[(n, n) for n in cores(machines[here])],
        own=machines[here].machine["cores"]["usable"],
        data=[(form, sentences.DATA[form]) for form in DATA],
        device=any(len(axes["device"]) > 1 for axes in asked.values()),
        machine=here,
        head=answers.HEAD,
        whose=answers.whose(machines[here]),
        shown=SHOWN,
        packed={
            name: packed(table(every, here, name, axes))
            for name, axes in asked.items()
        },
    )


def cores(measured):
    """Return how many cores may be asked for.

    measured  timings.Measured of a machine
    """
    return sorted({*CORES, measured.machine["cores"]["usable"]})


def grid(choices):
    """Return what may be asked of a problem: {what: values}.

    They are arguments of answers.Question.  Where the form of the data makes
    no difference, or no device was measured, there is one value.
    """
    device = any(KINDS[variant].library for variant in choices.costs)
    return {
        "size": SIZES,
        "calls": CALLS,
        "cores": cores(choices.measured),
        "data": DATA if choices.conversions else ("own",),
        "loaded": (False, True),
        "device": (False, True) if device else (False,),
    }


def table(every, here, problem, axes):
    """Return what the script looks up for a problem, JSON-ready.

    axes  what `grid` returns

    "texts" are all texts, each once; "answers" are those that differ, as
    [sentence, [note, …], [cell, …]], numbers of texts, a table's cells row
    by row; "cells" has the number of the answer for each combination of the
    axes, the last one running fastest.
    """
    texts, told, cells = {}, {}, []
    for values in itertools.product(*axes.values()):
        question = answers.Question(**dict(zip(axes, values, strict=True)))
        answer = answers.ask(every, here, problem, question)
        rows = [row.cells for row in answer.foremost(SHOWN)]
        parts = (answer.sentence,), answer.notes, itertools.chain(*rows)
        (sentence,), *more = (
            tuple(texts.setdefault(text, len(texts)) for text in part)
            for part in parts
        )
        cells.append(told.setdefault((sentence, *more), len(told)))
    return {
        "unit": PROBLEMS[problem].unit,
        "axes": {name: list(map(_written, axes[name])) for name in axes},
        "texts": list(texts),
        "answers": list(told),
        "cells": cells,
    }


def _written(value):
    """Return a value as the form's fields have it."""
    return str(int(value) or "") if isinstance(value, bool) else str(value)


def packed(data):
    """Return data as JSON, compressed by zlib, in letters (base64)."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()
