"""What *Why does `g += 1` no longer lose updates?* concludes."""

from onthefly.experiments.gil import races
from onthefly.page import answer, expect, figure, judge, table
from onthefly.page.verdicts import unmeasured

OF_THEN = ("3.6.", "3.7.")
TOO_NEW = "needs an interpreter of the talk's time, Python 3.6 or 3.7"
COLUMNS = {
    "g ±= 1": "g += 1",
    "with lock: g ±= 1": "with a lock",
}


def swept(sweeps):
    return {name: races.Sweep(runs) for name, runs in sweeps.items()}


def of_all(swept):
    """Return {interpreter: wrong runs, of all lengths together}."""
    return {name: races.wrong(sweep.ends()) for name, sweep in swept.items()}


@figure(
    x="length of a run",
    y="wrong runs",
    time="x",
    logx=False,
    logy=False,
    marks=[(0.008, "the talk")],
)
def lengths_figure(swept):
    return {name: sweep.shares() for name, sweep in swept.items()}


def begins(swept, old):
    return swept[old].threshold()


@judge("race-threshold-eight-ms")
def threshold_eight_ms(begins, old):
    return begins if old.startswith(OF_THEN) else unmeasured(TOO_NEW)


@table
def interpreters(rows):
    """Wrong runs by interpreter."""
    return [
        {"CPython": row["CPython"]}
        | {name: races.wrong(row[k]).note for k, name in COLUMNS.items()}
        | {k: row[k] for k in ("recorded",) if k in row}
        for row in rows
    ]


def own_rows(rows):
    return [row for row in rows if "recorded" not in row]


def wrong(own_rows):
    return {row["CPython"]: races.wrong(row["g ±= 1"]) for row in own_rows}


def then(wrong, old):
    return wrong[old]


def now(wrong, here):
    return wrong[here]


@figure(x="runs of g += 1 that lost updates")
def interpreters_figure(wrong):
    """With a GIL, Python loses updates up to version {loses_last}, and none
    from {held_first} on.
    """
    return wrong


def gil(pythons):
    return [name for name in pythons if races.has_gil(name)]


def loses_last(gil, wrong):
    return next((n for n in reversed(gil) if wrong[n].value), "none")


def held_first(gil, wrong):
    return next((n for n in gil if not wrong[n].value), "none")


def as_told(gil, wrong):
    return [bool(wrong[n].value) == (races.minor(n) < 10) for n in gil]


def free_runs(gil, wrong):
    runs = [f"{n}: {q.note}" for n, q in wrong.items() if n not in gil]
    return "; ".join(runs) or "no such build is here"


def pypy_runs(by_pypy):
    return races.wrong(by_pypy["ends"]).note


def changed(turns, old, here):
    return turns.seconds(here) / turns.seconds(old)


@judge("gil-switch-interval")
def switch_interval(turns, old, here):
    of_then = turns.seconds(old) if old.startswith(OF_THEN) else None
    return of_then, turns.seconds(here)


def inside(stood):
    return {name: races.inside(stops) for name, stops in stood.items()}


@figure(x="stops between the reading and the writing of g")
def stops_figure(inside):
    return inside


@expect
def stops_decide(inside, wrong, gil):
    return [bool(inside[n].value) == bool(wrong[n].value) for n in gil]


@judge("gil-slices-lose-updates")
def slices_lose_updates(inside, old, here):
    pair = inside[old], inside[here]
    return pair if old.startswith(OF_THEN) else unmeasured(TOO_NEW)


def torn(tried):
    return {update: races.wrong(ends) for update, ends in tried.items()}


def fits(torn, holds, loses):
    """Return whether each prediction is right."""
    may_yet_be_seen = [torn[update].value > 0 or None for update in loses]
    return [torn[update].value == 0 for update in holds] + may_yet_be_seen


@figure(x="runs that lost updates")
def tried_figure(torn):
    """The first four are predicted to lose nothing, the others to lose."""
    return {update.replace("±", "+"): q for update, q in torn.items()}


def as_predicted(forced):
    return [(cut["left"] == 2) == cut["inside"] for cut in forced]


def cut_before(forced):
    lost = [cut["before"] for cut in forced if cut["left"] == 2]
    return ", ".join(lost) or "(none)"


@answer("update-in-threads")
def update_in_threads(own_rows, as_told, as_predicted):
    """No interpreter guarantees it. Two threads that count with `g += 1` end
    wrong in {then.note} runs under Python {old}, and in {now.note} under
    {here}. With a GIL, {loses_last} is the newest version that loses updates.
    (Wrong runs without a GIL: {free_runs}; under PyPy, which has one:
    {pypy_runs}.) But stopped by force between reading and writing, the update
    is lost under {here}, too. So use a lock.
    """
    locked = [not any(row["with lock: g ±= 1"]) for row in own_rows]
    return as_told, as_predicted, locked
