"""What *Libraries without the lock* concludes."""

from onthefly.experiments.interpreters import library_child
from onthefly.experiments.interpreters.library_trials import OWN
from onthefly.experiments.interpreters.small_arrays import WAYS
from onthefly.experiments.numba.rested import ahead_from
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, table

ALONE, ONE, EACH = library_child.WAYS
OBJECTLESS = {*OWN, "numba", "matplotlib"}
AXIS = "two threads, times as fast as the same calls in turn"


def asked(tried):
    """Return how many libraries were asked for and load, and which fail."""
    others = [row for row in tried if row["library"] not in OWN]
    load = [row for row in others if row["version"]]
    return {
        "all": len(others),
        "load": len(load),
        "absent": _list(row for row in others if not row["version"]),
        "lock": _list(row for row in load if row["gil"]),
    }


def _list(rows):
    return ", ".join(row["library"] for row in rows) or "none"


def locked(tried):
    """Return {library: whether it brought the lock back}."""
    return {row["library"]: row["gil"] for row in tried if row["version"]}


@table
def libraries(tried):
    """Libraries under CPython {build[version]} without the GIL."""
    lock = {True: "on", False: "off"}
    right = {True: "right", False: "wrong"}
    return [
        {
            "library": row["library"],
            "version": "this book's"
            if row["library"] in OWN
            else row["version"] or "not here",
            "lock after the import": lock.get(row.get("gil")),
            "two threads": right.get(row.get("right")),
        }
        for row in tried
    ]


@expect
def switched(locked):
    return locked["pi_c"], not locked["pi_c, declared"]


@expect
def all_right(tried):
    return [row["right"] for row in tried if "right" in row]


def gain(times):
    """Return {how: {library: times as fast as the calls in turn}}."""
    names = dict.fromkeys(k.rpartition(", ")[0] for k in times.names)
    return {
        how: {n: times.ratio(f"{n}, {ALONE}", f"{n}, {how}") for n in names}
        for how in (ONE, EACH)
    }


def owning(gain, locked):
    return _span(gain[EACH], locked)


def sharing(gain, locked):
    return _span(gain[ONE], locked)


def _span(gains, locked):
    free = [n for n in gains if n not in OBJECTLESS and not locked[n]]
    free.sort(key=lambda name: gains[name].value)
    worst, best = free[0], free[-1]
    ends = {"least": gains[worst], "most": gains[best]}
    return {"worst": worst, "best": best} | ends


@expect
def gain_holds(gain, locked, owning):
    free = [q > 1 for n, q in gain[EACH].items() if not locked[n]]
    return Quantity.held(free) > 0.5, owning["most"] > 1


@expect
def held_back(gain, locked):
    return [q < 1.2 for n, q in gain[EACH].items() if locked[n]]


@expect
def sharing_costs(gain):
    return [gain[ONE][n] / gain[EACH][n] < 1 for n in ("numpy", "pandas")]


@figure(x=AXIS, reference=1)
def headline_figure(gain):
    """Small calls on objects of their own, without the GIL. The lock is on
    again with pi_c.
    """
    return gain[EACH]


@figure(x=AXIS, reference=1)
def gains_figure(gain):
    return {
        f"{n}, {how}": gain[how][n]
        for n in gain[ONE]
        if n not in OWN
        for how in (ONE, EACH)
    }


@answer("libraries-without-the-gil")
def libraries_without_the_gil(all_right, owning, sharing):
    """Of {asked[all]} libraries asked for, {asked[load]} are installed here
    and load under CPython {build[version]} without the lock; those of them
    that switch it on again: {asked[lock]}. Where it stays off, two threads of
    small calls are {owning[least].about} to {owning[most].about} as fast as
    the same calls in turn, on one object {sharing[least].about} to
    {sharing[most].about}.
    """
    return all_right


def by_size(small, lengths):
    return {n: small.ratio(*WAYS, n) for n in lengths}


@figure(
    x="numbers of an array",
    y="two threads, times as fast as in turn",
    logy=False,
    better="more",
)
def sizes_figure(by_size):
    return {"np.add": by_size}


def from_where(small):
    sure = ahead_from(small, *WAYS)
    return (
        f"from arrays of {sure:,} numbers on" if sure else "at no size here"
    )


@answer("small-arrays-in-threads")
def small_arrays_in_threads(by_size):
    """Two threads that add arrays of their own are, with arrays of ten
    numbers, {by_size[10].as_speed} the same calls in turn, of a thousand
    {by_size[1000].as_speed} them, and of 100,000 {by_size[100000].as_speed}
    them (NumPy under CPython {build[version]} without the lock, on
    {small.cores} cores). For certain they gain {from_where}. Where it is
    little, give each call more to do, or compile the loop around it.
    """
    return [gain > 1 for n, gain in by_size.items() if n >= 1000]
