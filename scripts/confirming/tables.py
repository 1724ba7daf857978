"""What was measured of a function, in tables."""

from confirming.findings import share
from confirming.numba_trial import NJIT
from onthefly.experiments.gil import nogil
from onthefly.quantity import INTERVAL


def tables(measurement):
    """Return [(title, column titles, rows)]; a cell is text or a number."""
    m = measurement
    every = [_sizes(m), _compiled(m.numba), _pools(m), _within(m)]
    return [table for table in every if table[2]]


def _sizes(m):
    rows = [
        [f"{n:,}", str(m.seconds[n]), _off(m, n),
         str(m.reports[n].fraction) if n in m.reports else "–"]
        for n in m.sizes
    ]  # fmt: skip
    head = ["n", "a call", "prediction", "nogil fraction"]
    return (
        "A call in one thread, and what the model predicts unseen",
        head,
        rows,
    )


def _off(m, size):
    if size not in m.errors:
        return "fitted" if m.fit else "–"
    return share(m.errors[size], "+")


def _compiled(trial):
    rows = [
        [f"{n:,}", str(trial.times.seconds(NJIT, n)), str(gain),
         trial.results[n]]
        for n, gain in trial.gains.items()
    ]  # fmt: skip
    head = ["n", "a call", "speed-up", "results"]
    return "Compiled by numba.njit, against the plain function", head, rows


def _pools(m):
    columns = speeds(m)
    rows = [
        [f"{n:,}", *(str(by.get(n, "–")) for by in columns.values())]
        for n in m.threads.sizes
    ]
    title = f"Speed-up over one, each call a task of its own ({INTERVAL})"
    return title, ["n", *columns], rows


def speeds(m):
    """Return {"2 threads": {size: Quantity}}: of threads and processes."""
    return {
        f"{k} {what}": by_size
        for what, trial in [
            ("threads", m.threads),
            ("processes", m.processes),
        ]
        for k, by_size in trial.speeds.items()
    }


def _within(m):
    rows = [
        [name, *(str(r.speedups[k]) for k in m.threads.counts)]
        for name, r in side_by_side(m).items()
    ]
    return (
        "Speed-up within the threads, no task handed on, and what this "
        "machine gives two known functions",
        ["", *(f"{k} threads" for k in m.threads.counts)],
        rows,
    )


def side_by_side(m):
    """Return {name: Report}: the function, then the references."""
    own = f"n = {max(m.reports):,}"
    names = {nogil.FREE: "SHA-256 (no GIL)", nogil.HELD: "Python loop (GIL)"}
    rest = {names[k]: r for k, r in m.references.items()}
    return {own: m.main, **rest}
