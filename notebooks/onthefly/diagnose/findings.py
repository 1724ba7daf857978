"""What is said of a function, a sentence each: the verdict first."""

import statistics

from onthefly.diagnose.pool_trials import OWN, PAYS
from onthefly.figures import percent
from onthefly.figures.findings import listed
from onthefly.measure import nogil
from onthefly.measure.quantity import Quantity


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
        "Results": m.threads.comparison,
        "Left out": _left_out(m),
        "Doubts": _doubts(m),
    }
    return [(name, text) for name, text in every.items() if text]


def verdict(measurement):
    """Return what of all that was tried gains most, and how much.

    All at the largest size at which each was tried.
    """
    tried = _tried(measurement)
    if not tried:
        return "nothing could be tried"
    size = max(set.intersection(*map(set, tried)))
    ranked = sorted(
        (gains[size] for gains in tried), key=lambda pair: -pair[1].value
    )
    best, gain = ranked[0]
    losing = [pair for pair in ranked[1:] if pair[1] < 1]
    text = "; then ".join(
        f"{name}, {gain} as fast at n = {size:,}"
        for name, gain in ranked
        if (name, gain) not in losing
    )
    if losing:
        names = (f"{name} ({gain.short})" for name, gain in losing)
        text += f"; slower than one after the other: {listed(names)}"
    # Threads that took turns gained nothing: another core was faster.
    turns = measurement.threads.held and best.endswith("threads")
    if gain > PAYS and not turns:
        close = len(ranked) > 1 and ranked[1][1].high >= gain.low
        open_ = "; which of the first two gains more is not resolved"
        return f"most gains {text}" + open_ * close
    if all(q < PAYS for _, q in ranked):
        return f"nothing that was tried pays; the best is {text}"
    return f"not resolved; the best is {text}"


def _tried(m):
    """Return [{size: (its name there, gain)}] of all that was tried."""
    gains = [
        {n: (f"{k} {what}", q) for n, (k, q) in trial.best.items()}
        for what, trial in m.pools.items()
    ]
    if m.numba.differs is None:
        gains.append({n: ("numba.njit", q) for n, q in m.numba.gains.items()})
    return [some for some in gains if some]


def _numba(trial):
    if trial.error:
        return f"not measured: {trial.error}"
    most = max(trial.gains)
    text = (
        f"compiled, {trial.gains[most]} as fast at n = {most:,}; the first "
        f"call, which compiles, takes {Quantity.exact(trial.first, 's')}"
    )
    if trial.lists:
        text += "; it is called with lists: try arrays in place of them"
    if trial.helpers:
        each = "it" if len(trial.helpers) == 1 else "each of them"
        text += (
            f"; with {listed(trial.helpers)} compiled, too: decorate {each}"
        )
    return f"{text}; {trial.results}"


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
    return (
        f"{text}: at n = {most:,} {workers} {what} do the work {speed} as "
        "fast as one"
    )


def _cost(m):
    if m.fit is None:
        times = (f"{q} at n = {n:,}" for n, q in m.seconds.items())
        return (
            f"no model from {len(m.sizes)} sizes (it takes three); "
            f"{', '.join(times)}"
        )
    text = f"a + b·n with a = {m.fit['a']}, b = {m.fit['b']}"
    if m.unseen:
        off = [abs(q.value - 1) for q in m.unseen.values()]
        worst, middle = map(percent, (max(off), statistics.median(off)))
        text += (
            f"; fitted without n = {_sizes(m.unseen)}, it predicts their "
            f"times within {worst} (median {middle})"
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
        f"{trial.size:,}, in which a lock of the function's own counts, too; "
        f"here, SHA-256, which releases the GIL, gets {free.fraction}"
    )


def _handing(m):
    """Return what it costs to give a pool one call."""
    parts = []
    if not m.threads.error:
        parts.append(f"{m.threads.handing} to give threads one call of many")
    if not m.processes.error:
        parts.append(
            f"{m.processes.handing} to give processes one, without the time "
            f"for what is sent ({m.processes.sent:,} bytes of arguments at "
            "the largest size)"
        )
    return "; ".join(parts)


def _left_out(m):
    missing = [n for n in m.request.sizes if n not in m.seconds]
    return missing and f"n = {_sizes(missing)}: --budget is too small"


def _doubts(m):
    every = [*m.numba.gains.values()]
    for trial in m.pools.values():
        every += [q for by in trial.speeds.values() for q in by.values()]
    notes = [q.note for q in every if q.note]
    if not notes:
        return ""
    worst = max(notes, key=len)
    return f"{len(notes)} of {len(every)} results are noisy, e.g. {worst}"
