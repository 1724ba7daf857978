"""Say which way is predicted to be the cheapest, and what each would take.

    onthefly choose --problem polynomial --size 1e5 --calls 1e3 \\
        [--cores 2] [--data lists] [--loaded] [--device] \\
        [--machine NAME] [--json]

The prediction rests on what the page "Eight problems" measured on a machine:
the one at hand, or the one that recorded it last; --machine names another.
For more cores than it has, it is the one that has as many, where one does.
The book's page "Which one should I choose?" gives the same answers, and says
how they were tested.

Exit code 0: answered; 2: refused.
"""

import json
import textwrap

from onthefly.errors import UserError
from onthefly.kernels.problems import PROBLEMS
from onthefly.predict import measurements, prediction, sentences
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
    add("--problem", required=True, metavar="NAME",
        help=f"what yours is like: {', '.join(PROBLEMS)}")  # fmt: skip
    add(
        "--size",
        required=True,
        type=count("size"),
        metavar="N",
        help="of each call",
    )
    add(
        "--calls",
        type=count("calls"),
        default=1,
        metavar="N",
        help="(default: 1)",
    )
    add(
        "--cores",
        type=count("cores"),
        metavar="N",
        help="(default: the machine's)",
    )
    add("--data", choices=prediction.DATA, default="own",
        help="the form of your data; own: the one that each way takes "
        "(default: own)")  # fmt: skip
    add("--loaded", action="store_true",
        help="your program has imported the libraries already")  # fmt: skip
    add("--device", action="store_true", help="ways on a GPU may be chosen")
    add("--machine", metavar="NAME", help="whose measurements")
    add("--json", action="store_true", help="print JSON")


def chosen(options):
    """Return (prediction.Choices, cores, what is to be said of these).

    For more cores than the machine has, they may be another's that has them.
    Raises UserError for a problem or a machine that is not there.
    """
    if options.problem not in PROBLEMS:
        raise unknown("problem", options.problem, list(PROBLEMS))
    machines = measurements.required()
    name = options.machine or measurements.default(machines)
    if name not in machines:
        raise unknown("machine", name, list(machines))
    every = {key: prediction.choices(one) for key, one in machines.items()}
    measured = every[name]
    if options.problem not in measured:
        lacking = sentences.fill(
            "unmeasured", problem=options.problem, machine=name
        )
        raise UserError(
            f"{lacking}, but {', '.join(measured)}; "
            f"run scripts/run.py {prediction.PAGE}"
        )
    workers = options.cores or measured[options.problem].workers
    choices, machine = measurements.for_cores(
        every, name, options.problem, workers
    )
    about = sentences.about_cores(choices, workers, machine != name)
    return choices, workers, about


def rows(choices, ranked, n, given):
    """Return a dict for each variant, the cheapest first: seconds and gain.

    ranked  what `Choices.ranked` returns at size n
    given   its options
    """
    asked = n, given["workers"], given["data"]
    return [
        {
            "way": variant,
            "name": sentences.name(choices, variant),
            "seconds": _ends(q),
            "gain": _ends(prediction.gain(ranked, variant)),
            "measured up to": int(choices.costs[variant].all_.upto),
            "beyond": choices.beyond(variant, *asked),
            "gain beyond": bool(sentences.guessed(choices, variant, n)),
        }
        for variant, q in ranked.items()
    ]


def _ends(quantity):
    return quantity and [quantity.value, quantity.low, quantity.high]


def table(choices, ranked, n, given):
    """Return the variants as lines of aligned columns.

    ranked  what `Choices.ranked` returns at size n
    given   its options
    """
    asked = n, given["workers"], given["data"]
    beyond = sentences.fill("beyond")
    lines = [["way", "predicted", "as fast as Python", ""]]
    for variant, seconds in ranked.items():
        lines.append(
            [
                sentences.name(choices, variant),
                str(seconds),
                sentences.gained(choices, ranked, variant, n),
                beyond * choices.beyond(variant, *asked),
            ]
        )
    return aligned(lines, left=True)


def as_json(choices, n, about, given):
    """Return the answer as JSON.

    about  what is to be said of the cores
    given  options of `Choices.ranked`
    """
    best = choices.winner(n, **given)
    answer = {
        "machine": choices.measured.machine["slug"],
        "problem": choices.problem.name,
        "size": n,
        **given,
        "best": best.variant,
        "rivals": best.rivals,
        "beyond": best.beyond,
        "about the cores": about,
        "ways": rows(choices, choices.ranked(n, **given), n, given),
    }
    return json.dumps(answer, indent=1, ensure_ascii=False)


def as_text(choices, n, about, given):
    """Return the answer as lines for the terminal; arguments of `as_json`."""
    ranked = choices.ranked(n, **given)
    asked = {key: given[key] for key in given if key != "device"}
    legend = any(sentences.guessed(choices, k, n) for k in ranked)
    parts = [
        f"{sentences.asked(choices, n, **asked)}.",
        f"Measured: {choices.measured.origin}.",
        sentences.answer(choices, n, **given),
        about,
    ]
    lines = [textwrap.fill(part, width()) for part in parts if part]
    lines += ["", *table(choices, ranked, n, given)]
    if legend:
        lines += ["", textwrap.fill(sentences.legend(choices), width())]
    return "\n".join(lines)


def run(options):
    """Answer; return the exit code."""
    choices, workers, about = chosen(options)
    given = {
        "calls": options.calls,
        "workers": workers,
        "data": options.data,
        "imports": not options.loaded,
        "device": options.device,
    }
    show = as_json if options.json else as_text
    print(show(choices, options.size, about, given))
    return 0
