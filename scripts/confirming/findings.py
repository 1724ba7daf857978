"""What is said of a function, a sentence each: the verdict first."""

import statistics

from confirming import gains
from onthefly.experiments.gil import nogil
from onthefly.findings import listed
from onthefly.quantity import Quantity


def findings(measurement):
    """Return [(name, sentence)] of a Measurement."""
    m = measurement
    every = {
        "Verdict": gains.verdict(m),
        "Numba": _numba(m.numba),
        "Threads": "; ".join(gains.threads(m)),
        "Processes": gains.processes(m.processes),
        "Cost": _cost(m),
        "Nogil": _nogil(m),
        "Handing on": gains.handing(m),
        "Results": _results(m.comparison),
        "Left out": _left_out(m.left_out),
        "Doubts": _doubts(m),
    }
    return [(name, text) for name, text in every.items() if text]


def share(value, sign=""):
    """Write a share as the book does: 16 %, with a true minus."""
    places = 1 if abs(value) < 0.0095 else 0
    text = f"{value:{sign}.{places}%}".replace("%", " %")
    return text.replace("-", "\N{MINUS SIGN}")


def sizes(numbers):
    """Write sizes with commas."""
    return ", ".join(f"{n:,}" for n in numbers)


def _numba(trial):
    if trial.error:
        helpers = (
            f" (compiled with {listed(trial.helpers)}, too, it fails as well)"
            if trial.helpers
            else ""
        )
        arrays = "; try arrays in place of lists" * trial.lists
        return f"not measured: {trial.error}{helpers}{arrays}"
    most = max(trial.gains)
    text = (
        f"compiled, {trial.gains[most]} as fast at n = {most:,}; the first "
        f"call, which compiles, takes {trial.first_call}"
    )
    if trial.array_gains:
        gain = trial.array_gains[most]
        text += f"; given arrays in place of lists, {gain}"
    if trial.already:
        text = (
            f"given compiled; its plain form, .py_func, is the other: {text}"
        )
    if trial.helpers:
        each = "it" if len(trial.helpers) == 1 else "each of them"
        text += (
            f"; with {listed(trial.helpers)} compiled, too (alone: "
            f"{trial.alone}): decorate {each}"
        )
    return f"{text}; {_compiled_results(trial)}"


def _compiled_results(trial):
    if trial.differs:
        return (
            f"NOT THE SAME results from n = {trial.differs:,} on: "
            f"{trial.results[trial.differs]}"
        )
    for kind, text in {
        "opaque": "its results cannot be compared",
        "none": "it returns nothing: not comparable",
        "random": "it gets another result at each call: not comparable",
        "close": "the same results, apart from rounding",
    }.items():
        if kind in trial.results.values():
            return text
    return "the same results at every size"


def _cost(measurement):
    fit, errors = measurement.fit, measurement.errors
    if fit is None:
        return (
            f"no model from {len(measurement.sizes)} sizes (it takes three); "
            + ", ".join(
                f"{q} at n = {n:,}" for n, q in measurement.seconds.items()
            )
        )
    text = f"a + b·n with a = {fit['a']}, b = {fit['b']}"
    if errors:
        off = [abs(e) for e in errors.values()]
        text += (
            f"; fitted without n = {sizes(errors)}, it predicts their times "
            f"within {share(max(off))} (median "
            f"{share(statistics.median(off))})"
        )
    if power := measurement.power:
        low, high = power.valid
        text += (
            f"; but a line is off by up to {share(fit.worst)}: from n = "
            f"{low:,.0f} to {high:,.0f} the time grows as n to the power "
            f"{power['b']}"
        )
    return text


def _nogil(measurement):
    report = measurement.main
    free = measurement.references[nogil.FREE]
    return (
        f"{report.verdict}: fraction {report.fraction} at n = "
        f"{max(measurement.reports):,}; here, SHA-256, which releases it, "
        f"gets {free.fraction}"
    )


def _results(comparison):
    c = comparison
    place = f"n = {c.size:,}"
    if c.kind in ("same", "differs"):
        part = Quantity.share(c.differ, c.calls)
        head = (
            "the same in one and in many threads, as far as tried"
            if c.kind == "same"
            else "NOT SAFE: not the same in one and in many threads"
        )
        return (
            f"{head}: {c.differ:,} of {c.calls:,} calls in {c.threads} "
            f"threads differ at {place} ({part.interval} %); what it "
            "changes elsewhere was not looked at"
        )
    return {
        "raises": f"NOT SAFE: in {c.threads} threads it raised {c.detail} at "
        f"{place}, in one it did not",
        "random": f"random: not comparable; one thread, too, gets another "
        f"result at each call (at {place})",
        "none": "it returns nothing: not comparable",
        "opaque": f"a {c.detail} cannot be compared with another: not "
        "comparable",
    }[c.kind]


def _left_out(reasons):
    """Return the sizes that were left out, by reason."""
    by_reason = {}
    for size, reason in reasons.items():
        by_reason.setdefault(reason, []).append(size)
    return "; ".join(f"n = {sizes(n)}: {why}" for why, n in by_reason.items())


def _doubts(measurement):
    every = [r.raw for r in measurement.reports.values()]
    every += measurement.numba.gains.values()
    for trial in (measurement.threads, measurement.processes):
        every += [q for by in trial.speeds.values() for q in by.values()]
    notes = [q.note for q in every if q.note]
    if not notes:
        return ""
    worst = max(notes, key=len)
    return f"{len(notes)} of {len(every)} results are noisy, e.g. {worst}"
