"""Recommend a method for a loop, and predict how long each method takes.

    onthefly choose                        asks what your loop is like
    onthefly choose --problem polynomial --size 1e5 --calls 1e3 \\
        [--cores 2] [--data lists] [--loaded] [--device] \\
        [--machine NAME] [--json]

Without options it asks what your loop is like and names a method.  With
--problem, the problem that is most like your loop, it predicts times for
your size.  Nothing is run.  The answer rests on measurements of this machine
or, if there are none, of the machine that was recorded last; --machine
chooses another.  If you ask for more cores than that machine has, the
numbers come from a recorded machine that has enough, if there is one.

Intervals come from tests of the predictions.  A time with "about" has none,
because a part of it was not tested.

Exit codes: 0 answered; 2 refused, with the reason in one line.
"""

import json
import sys
import textwrap

from onthefly import folders
from onthefly.errors import UserError
from onthefly.kernels.problems import PROBLEMS
from onthefly.measure import records
from onthefly.predict import (
    answers,
    measurements,
    prediction,
    sentences,
    tree,
)
from onthefly.terminal import aligned, unknown, width
from onthefly.terminal.sizes import whole


def count(name):
    """Return argparse's `type` for a number: whole, as 1000 or 1e3."""

    def read(text):
        value = whole(text, f"--{name}")
        if value > sentences.MOST[name]:
            raise UserError(f"--{name} {text}: give {sentences.wanted(name)}")
        return value

    return read


def add_arguments(parser):
    """Name what the command takes."""
    add = parser.add_argument
    titles = ", ".join(f"{k} ({p.title})" for k, p in PROBLEMS.items())
    machines = ", ".join(records.machines_of(prediction.PAGE)) or "none"
    add("--problem", metavar="NAME",
        help=f"the problem most like your loop: {titles}")  # fmt: skip
    add("--size", type=count("size"), metavar="N",
        help="how many elements each call works on")  # fmt: skip
    add("--calls", type=count("calls"), default=1, metavar="N",
        help="how often the program calls the loop (default: 1)")  # fmt: skip
    add("--cores", type=count("cores"), metavar="N",
        help="how many cores it may use (default: all)")  # fmt: skip
    add("--data", choices=prediction.DATA, default="own",
        help="your data are in lists or arrays, and each call converts them "
        "if a method needs that; own: they need no conversion "
        "(default: own)")  # fmt: skip
    add("--loaded", action="store_true",
        help="do not count the time of imports")  # fmt: skip
    add("--device", action="store_true",
        help="include methods that run on a GPU")  # fmt: skip
    add("--machine", metavar="NAME",
        help=f"the machine whose measurements count: {machines}")  # fmt: skip
    add("--json", action="store_true", help="print JSON")


def answered(options):
    """Return the answers.Answer to what is asked.

    Raises UserError for a problem or a machine that is not there.
    """
    if options.problem not in PROBLEMS:
        raise unknown("problem", options.problem, list(PROBLEMS))
    machines = measurements.required()
    name = options.machine or measurements.default(machines)
    if name not in machines:
        raise unknown("machine", name, list(machines))
    every = {
        key: prediction.choices(one, [options.problem])
        for key, one in machines.items()
    }
    if not every[name]:
        raise UserError(_unmeasured(options.problem, name, every))
    question = answers.Question(
        options.size,
        options.calls,
        options.cores or every[name][options.problem].workers,
        options.data,
        options.loaded,
        options.device,
    )
    return answers.ask(every, name, options.problem, question)


def _unmeasured(problem, machine, every):
    """Say that a machine has not measured a problem, and what to do.

    every  {machine: {problem: Choices}}
    """
    others = [key for key, measured in every.items() if measured]
    repairs = [f"--machine {key}" for key in others]
    if folders.CHECKOUT:
        repairs.append(f"scripts/run.py {prediction.PAGE} measures it here")
    repair = " or ".join(repairs) or "ask for another problem"
    return f"{problem}: not measured on {machine}; repair: {repair}"


def as_json(answer):
    """Return an Answer as JSON."""
    question, best = answer.question, answer.best
    told = {
        "answer": answer.sentence,
        "notes": answer.notes,
        "machine": answer.choices.measured.machine["slug"],
        "problem": answer.choices.problem.name,
        "size": question.size,
        "calls": question.calls,
        "cores": question.cores,
        "data": question.data,
        "loaded": question.loaded,
        "device": question.device,
        "best": best.variant,
        "rivals": best.rivals,
        "beyond": best.beyond,
        "built": answer.built,
        "methods": list(map(_row, answer.rows)),
    }
    return json.dumps(told, indent=1, ensure_ascii=False)


def _row(row):
    """Return an answers.Row as a dict; times and gains with their ends.

    Ends are null where nothing tested a part of the time: "untested" says
    which.
    """
    return {
        "method": row.method,
        "name": row.name,
        "seconds": _ends(row.seconds),
        "gain": row.gain and _ends(row.gain),
        "untested": prediction.untested(row.seconds),
        "measured up to": row.upto,
        "beyond": row.beyond,
        "gain beyond": row.guessed,
    }


def _ends(predicted):
    if prediction.untested(predicted):
        return [predicted.value, None, None]
    return [predicted.value, predicted.low, predicted.high]


def as_text(answer):
    """Return an Answer as lines for the terminal."""
    whose = answers.whose(answer.choices.measured)
    below = [f"Asked: {answer.asked}.", whose, *answer.notes]
    rows = [[*answers.HEAD, ""], *(row.cells for row in answer.rows)]
    lines = [textwrap.fill(answer.sentence, width()), ""]
    lines += [*aligned(rows, left=True), ""]
    return "\n".join(lines + [textwrap.fill(x, width()) for x in below])


def led(machine=None):
    """Ask the questions of the tree, or print them where nobody answers.

    machine  whose gains are told; by default this one's, or a recorded one's
    """
    machines = measurements.required()
    name = machine or measurements.default(machines)
    if name not in machines:
        raise unknown("machine", name, list(machines))
    every = prediction.choices(machines[name])
    if sys.stdin.isatty() and sys.stdout.isatty():
        print(f"\n{_filled(tree.advice(every, _leaf()))}\n")
    else:
        for number, one in enumerate(tree.QUESTIONS, 1):
            print(_filled(f"{number}. {one.asks}"))
            print(_filled(f"Yes: {tree.advice(every, one.yes)}", "   "))
        print(_filled(f"Otherwise: {tree.advice(every, tree.OTHERWISE)}"))
        print(f"\n{_filled(tree.ALWAYS)}\n")
    print(_filled(tree.about_gains(machines[name])))


def _filled(text, indent=""):
    return textwrap.fill(
        text, width(), initial_indent=indent, subsequent_indent=indent
    )


def _leaf():
    """Return the tree.Leaf that a person's answers lead to."""
    for question in tree.QUESTIONS:
        print(_filled(question.asks))
        answer = ""
        while answer not in ("y", "yes", "n", "no"):
            answer = input("[y/n] ").strip().lower()
        if answer[0] == "y":
            return question.yes
    return tree.OTHERWISE


def run(options):
    """Answer; return the exit code."""
    missing = [k for k in ("problem", "size") if not getattr(options, k)]
    if len(missing) == 2 and not options.json:
        led(options.machine)
        return 0
    if missing:
        raise UserError(
            f"choose: --{missing[0]} is missing; repair: give --problem and "
            "--size, or neither, and it asks"
        )
    show = as_json if options.json else as_text
    print(show(answered(options)))
    return 0
