"""What is said of a function, in tables."""

from confirming.compiled import NJIT
from confirming.numbers import count, share
from onthefly.experiments.gil import nogil
from onthefly.quantity import INTERVAL


def tables(found):
    """Return [(title, column titles, rows)]."""
    compiled = [_compiled_table(found)] if found.compiled.gains else []
    return [_size_table(found), *compiled, *_thread_tables(found)]


def _size_table(found):
    rows = [
        [count(n), str(found.seconds[n]), _off(found, n),
         str(found.reports[n].fraction) if n in found.reports else "–"]
        for n in found.sizes
    ]  # fmt: skip
    head = ["n", "a call", "prediction", "nogil fraction"]
    return (
        "A call in one thread, and what the model predicts unseen",
        head,
        rows,
    )


def _off(found, size):
    if size not in found.checked:
        return "fitted" if found.fit else "–"
    return share(found.checked[size], "+")


def _compiled_table(found):
    c = found.compiled
    rows = [
        [count(n), str(c.times.seconds(NJIT, n)), str(c.gains[n]),
         c.results[n]]
        for n in c.gains
    ]  # fmt: skip
    head = ["n", "a call", "speed-up", "results"]
    return "Compiled by numba.njit, against the plain function", head, rows


def _thread_tables(found):
    speeds = {f"{k} threads": found.speeds[k] for k in found.counts}
    speeds |= {f"{k} processes": by for k, by in found.apart.items()}
    rows = [
        [count(n), *(str(by.get(n, "–")) for by in speeds.values())]
        for n in found.best
    ]
    yield (
        f"Speed-up over one thread, each call a task of its own ({INTERVAL})",
        ["n", *speeds],
        rows,
    )
    head = ["n", *(f"{k} threads" for k in found.counts)]
    rows = [
        [name, *(str(r.speedups[k]) for k in found.counts)]
        for name, r in side_by_side(found).items()
    ]
    yield (
        "Speed-up within the threads, no task handed on, and what this "
        "machine gives two known functions",
        ["", *head[1:]],
        rows,
    )


def side_by_side(found):
    """Return {name: Report}: the function, then the references."""
    own = f"n = {count(max(found.reports))}"
    names = {nogil.FREE: "SHA-256 (no GIL)", nogil.HELD: "Python loop (GIL)"}
    rest = {names[k]: r for k, r in found.references.items()}
    return {own: found.main, **rest}
