"""What is said of a function, a sentence each: the verdict first."""

import statistics

from confirming.comparison import CLOSE
from confirming.pool_trials import OWN, PAYS
from onthefly.experiments.gil import nogil
from onthefly.findings import listed
from onthefly.quantity import Quantity


def findings(measurement):
    """Return [(name, sentence)] of a Measurement."""
    m = measurement
    every = {
        "Verdict": verdict(m),
        "Numba": _numba(m.numba),
        "Threads": threads(m.threads),
        "Processes": _pool(m.processes, "processes"),
        "Cost": _cost(m),
        "Nogil": _nogil(m.threads),
        "Handing on": _handing(m),
        "Results": _results(m.threads.comparison),
        "Left out": _left_out(m),
        "Doubts": _doubts(m),
    }
    return [(name, text) for name, text in every.items() if text]


def share(value, sign=""):
    """Write a share as the book does: 16 %, with a true minus."""
    places = 1 if abs(value) < 0.0095 else 0
    text = f"{value:{sign}.{places}%}".replace("%", " %")
    return text.replace("-", "\N{MINUS SIGN}")


def verdict(measurement):
    """Return what of all that was tried gains most, and how much.

    All at the largest size at which each was tried.
    """
    tried = _tried(measurement)
    if not tried:
        return "nothing could be tried"
    common = set.intersection(*map(set, tried.values()))
    size = max(common, default=None)
    ranked = [
        (*gains[n], n)
        for gains in tried.values()
        for n in [max(gains) if size is None else size]
    ]
    ranked.sort(key=lambda row: -row[1].value)
    text = "; then ".join(
        f"{name}, {gain} as fast at n = {n:,}" for name, gain, n in ranked
    )
    if size is None:
        text += " (each at its own largest size: they have none in common)"
    best, gain, _ = ranked[0]
    # Threads that took turns gained nothing: another core was faster.
    turns = measurement.threads.held and best.endswith("threads")
    if gain > PAYS and not turns:
        return f"most gains {text}"
    if all(q < PAYS for _, q, _ in ranked):
        return f"nothing that was tried pays; the best is {text}"
    return f"not resolved; the best is {text}"


def _tried(m):
    """Return [{size: (its name there, gain)}] of all that was tried."""
    gains = {
        what: {n: (f"{k} {what}", q) for n, (k, q) in trial.best.items()}
        for what, trial in [
            ("threads", m.threads),
            ("processes", m.processes),
        ]
    }
    if m.numba.differs is None:
        gains["numba"] = {
            n: ("numba.njit", q) for n, q in m.numba.gains.items()
        }
    return {what: some for what, some in gains.items() if some}


def _numba(trial):
    if trial.error:
        return f"not measured: {trial.error}"
    most = max(trial.gains)
    text = (
        f"compiled, {trial.gains[most]} as fast at n = {most:,}; the first "
        f"call, which compiles, takes {trial.first_call}"
    )
    if trial.lists:
        text += "; it is called with lists: try arrays in place of them"
    if trial.helpers:
        each = "it" if len(trial.helpers) == 1 else "each of them"
        text += (
            f"; with {listed(trial.helpers)} compiled, too: decorate {each}"
        )
    return f"{text}; {_compiled_results(trial)}"


def _compiled_results(trial):
    if trial.unlike:
        return trial.unlike
    if trial.differs:
        return (
            f"NOT THE SAME results from n = {trial.differs:,} on: "
            f"{trial.results[trial.differs]}"
        )
    rounded = CLOSE in trial.results.values()
    return "the same results at every size" + (
        ", apart from rounding" if rounded else ""
    )


def threads(trial):
    """Return from which size threads pay, and why.

    trial  the ThreadTrial
    """
    if trial.error:
        return f"not measured, and maybe not safe: {trial.error}"
    report = trial.reports[OWN]
    text = f"{_pool(trial, 'threads')}; {report.verdict}: {report.why}"
    if trial.held and not trial.never_pays:
        text += (
            "; so the gain is not theirs, but another core's, which was "
            "faster or freer: try again when the machine is quiet"
        )
    return text


def _pool(trial, what):
    """Return from which size a pool pays, and its gain at the largest."""
    if trial.error:
        return f"not measured: {trial.error}"
    most, start = max(trial.best), trial.pays_from
    workers, speed = trial.best[most]
    if start == min(trial.best):
        text = "pay at every size tried"
    elif start is not None:
        text = f"pay from n = {start:,} on"
    elif trial.never_pays:
        text = f"do not pay up to n = {most:,}"
    else:
        text = f"not resolved up to n = {most:,}"
    return f"{text}: at n = {most:,} {workers} {what} do the work {speed} as fast as one"


def _cost(m):
    if m.fit is None:
        times = (f"{q} at n = {n:,}" for n, q in m.seconds.items())
        return (
            f"no model from {len(m.sizes)} sizes (it takes three); "
            f"{', '.join(times)}"
        )
    text = f"a + b·n with a = {m.fit['a']}, b = {m.fit['b']}"
    if m.errors:
        off = [abs(e) for e in m.errors.values()]
        text += (
            f"; fitted without n = {_sizes(m.errors)}, it predicts their "
            f"times within {share(max(off))} (median "
            f"{share(statistics.median(off))})"
        )
    if m.power:
        low, high = m.power.valid
        text += (
            f"; but a line is off by up to {share(m.fit.worst)}: from n = "
            f"{low:,.0f} to {high:,.0f} the time grows as n to the power "
            f"{m.power['b']}"
        )
    return text


def _sizes(numbers):
    return ", ".join(f"{n:,}" for n in numbers)


def _nogil(trial):
    if trial.error:
        return ""
    report, free = trial.reports[OWN], trial.reports[nogil.FREE]
    return (
        f"{report.verdict}: fraction {report.fraction} at n = "
        f"{trial.size:,}; here, SHA-256, which releases it, gets "
        f"{free.fraction}"
    )


def _handing(m):
    """Return what it costs to give a pool one call."""
    parts = []
    if not m.threads.error:
        parts.append(f"{m.threads.handing} to give threads one call")
    if not m.processes.error:
        parts.append(
            f"{m.processes.handing} to give processes one, without the time "
            f"for what is sent ({m.processes.sent:,} bytes of arguments at "
            f"the largest size); they take {m.processes.start} to start"
        )
    return "; ".join(parts)


def _results(c):
    if c is None or c.why:
        return c.why if c else ""
    part = Quantity.share(c.differ, c.calls)
    head = (
        "NOT SAFE: not the same in one and in many threads"
        if c.differ
        else "the same in one and in many threads, as far as tried"
    )
    return (
        f"{head}: {c.differ:,} of {c.calls:,} calls in {c.threads} threads "
        f"differ at n = {c.size:,} ({part.interval} %); what it changes "
        "elsewhere was not looked at"
    )


def _left_out(m):
    """Return for which sizes the budget was too small."""
    reasons = {"": m.sizes} | {
        f" in {what}": [*trial.best]
        for what, trial in [
            ("threads", m.threads),
            ("processes", m.processes),
        ]
        if trial.best
    }
    left, asked = [], list(m.request.sizes)
    for where, measured in reasons.items():
        if missing := [n for n in asked if n not in measured]:
            left.append(f"n = {_sizes(missing)}{where}")
        if not where:
            asked = measured
    return f"{'; '.join(left)}: --budget is too small" if left else ""


def _doubts(m):
    every = [*m.numba.gains.values()]
    for trial in (m.threads, m.processes):
        every += [q for by in trial.speeds.values() for q in by.values()]
    notes = [q.note for q in every if q.note]
    if not notes:
        return ""
    worst = max(notes, key=len)
    return f"{len(notes)} of {len(every)} results are noisy, e.g. {worst}"
