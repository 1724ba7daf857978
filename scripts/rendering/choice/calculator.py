"""The calculator: a form, and what its script looks up and fills in."""

import json

import templates
from onthefly.kernels.methods import KINDS
from onthefly.kernels.problems import PROBLEMS
from onthefly.measure.quantity import INTERVAL, Quantity
from onthefly.predict import measurements, prediction, sentences

# Numbers of cores that may be asked for, beside those of the machines.
CORES = (*range(1, 9), 10, 12, 14, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256)
DIGITS = 12  # of a number
FAR = 1e99  # in place of infinity, which is no JSON
ON_THE_PAGE = {
    "command": "scripts/choose.py --problem {problem} --size {size} "
    "--calls {calls} --cores {cores} --data {data}{loaded}{device} "
    "--machine {machine}",
} | {
    f"wrong {name}": f"{name}: give {sentences.wanted(name)}."
    for name in ("size", "calls")
}


def form(machines, every, here):
    """Return the calculator as HTML.

    machines  {machine: Results}, as measurements.usable returns them
    every     {machine: {name of a problem: Choices}}
    here      name of the machine that comes first
    """
    names = [here, *(name for name in machines if name != here)]
    known = dict.fromkeys(name for k in names for name in every[k])
    own = {machines[name].machine["cores"]["usable"] for name in names}
    cores = sorted({*CORES, *own})
    numbers = {
        "once": prediction.ONCE,
        "few": sentences.FEW,
        "mark": sentences.EXTRAPOLATED,
        "reach": prediction.REACH,
        "one": str(Quantity.exact(1, "×")),
        "sentences": sentences.SENTENCES | ON_THE_PAGE,
        "machines": {
            name: _machine(machines[name], every, cores) for name in names
        },
    }
    text = json.dumps(
        _shorter(numbers),
        ensure_ascii=False,
        separators=(",", ":"),
        allow_nan=False,
    )
    return templates.render(
        "calculator.html",
        problems=[(k, f"{k}: {PROBLEMS[k].title}") for k in known],
        most=sentences.MOST,
        cores=[(n, n) for n in cores],
        own=machines[here].machine["cores"]["usable"],
        data=sentences.DATA.items(),
        machines=[(name, machines[name].origin) for name in names],
        interval=INTERVAL,
        numbers=text.replace("<", "\\u003c"),
    )


def _shorter(value):
    """Return data less useless digits; what has no end ends at `FAR`."""
    if isinstance(value, dict):
        return {key: _shorter(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shorter(part) for part in value]
    if isinstance(value, float):
        return float(f"{min(value, FAR):.{DIGITS}g}")
    return value


def _machine(measured, every, cores):
    """Return what the script looks up for a machine.

    every  {machine: {name of a problem: Choices}}
    cores  numbers of cores that may be asked for
    """
    here = measured.machine["slug"]
    return {
        "cores": measured.machine["cores"]["usable"],
        "measured": sentences.counted(
            measured.machine["cores"]["usable"], "cores"
        ),
        "again": sentences.again(measured.preset),
        "further": sentences.further(measured.preset),
        "problems": {
            name: _problem(choices, cores)
            | {"cores": _tellers(every, here, name, cores)}
            for name, choices in every[here].items()
        },
    }


def _tellers(every, here, problem, cores):
    """Return {number of cores: [whose numbers tell of it, a sentence]}."""
    tellers = {}
    for workers in cores:
        choices, machine = measurements.for_cores(
            every, here, problem, workers
        )
        about = sentences.about_cores(choices, workers, machine != here)
        tellers[workers] = [machine, about]
    return tellers


def _problem(choices, cores):
    return {
        "unit": choices.problem.unit,
        "legend": sentences.legend(choices),
        "conversions": {
            name: _curve(curve) for name, curve in choices.conversions.items()
        },
        "variants": [
            _variant(choices, variant, cores) for variant in choices.costs
        ],
    }


def _variant(choices, variant, cores):
    """Return the pieces of what a variant costs, and how far they reach."""
    cost, ready = choices.costs[variant], {}
    for data in prediction.DATA:
        if choices.converts(variant, data):
            ready[data] = {
                "conversions": choices.converting(variant, data),
                "limit": choices.limit(variant, data),
            }
    calls = {"measured": _curve(cost.all_)}
    if cost.one:
        calls |= {n: _curve(cost.call(n)) for n in cores if n != cost.workers}
    return {
        "key": variant,
        "name": sentences.name(choices, variant),
        "starts": choices.problem.start(variant),
        "loads": cost.loads,
        "first": cost.first,
        "calls": calls,
        "data": ready,
        "device": bool(KINDS[variant].library),
        "scales": not choices.other_cores(variant, 0),
    }


def _curve(curve):
    """Return a models.Curve: [[up to which size, a, b], …] and its spread."""
    return {"pieces": curve.pieces, "spread": curve.spread}
