"""What is said of a function, in tables."""

from confirming.words import count, share
from onthefly.experiments.gil import nogil
from onthefly.quantity import INTERVAL


def tables(found):
    """Return [(title, column titles, rows)]."""
    return [_size_table(found), *_thread_tables(found)]


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


def _thread_tables(found):
    rows = [
        [count(n), *(str(found.speeds[k][n]) for k in found.counts)]
        for n in found.best
    ]
    head = ["n", *(f"{k} threads" for k in found.counts)]
    yield (
        f"Speed-up over one thread, each call a task of its own ({INTERVAL})",
        head,
        rows,
    )
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
