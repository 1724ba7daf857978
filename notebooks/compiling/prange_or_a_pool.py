"""What *Numba on several cores: prange or a thread pool?* concludes."""

from onthefly.experiments.numba.rested import ahead_from
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, claims, expect, judge, table, unresolved
from onthefly.page.verdicts import unmeasured


@judge("numba-parallel-two-edits")
def two_edits(right):
    return Quantity.share_of(right)


@judge("numba-nogil-pool-sample")
def pool_sample(good, runs):
    return Quantity.share(good, runs)


def gain(ways, shots):
    return ways.ratio("one core", "prange", shots)


def pool_gain(ways, shots):
    return ways.ratio("one core", "pool", shots)


def long_call(ways, shots):
    return ways.seconds("one core", shots)


def yardstick(ways, shots):
    return ways.ratio("one core", "processes", shots)


@expect
def no_less(ways, shots):
    gains = (ways.ratio("processes", k, shots) for k in ("prange", "pool"))
    return [gain > 0.8 for gain in gains]


@judge("numba-parallel-against-jit")
def against_jit(gain, yardstick, threads):
    claim = claims.load().claims["numba-parallel-against-jit"]
    least = claim.expect["value"] / claims.NEAR
    if threads == 4 and gain < least and not yardstick > least:
        return unresolved(f"processes, {yardstick}, do not reach it either")
    return gain


@judge("numba-parallel-against-python")
def against_python(ways, shots, threads):
    gain = ways.ratio("Python", "prange", shots)
    return gain if threads == 4 else unmeasured()


def door(entry, sizes):
    return {name: entry.seconds(name, sizes[0]) for name in entry.names}


def pays(entry, gain, pool_gain, shots):
    gains = {"prange": gain > 1, "pool": pool_gain > 1}
    return {k: _pays(entry, k, gains.get(k), shots) for k in entry.names}


def _pays(entry, name, gains, shots):
    """Say from which size on a method pays, or where it gains."""
    size = ahead_from(entry, "one core", name)
    if size == max(entry.sizes(name)):
        return f"at {size:,} shots"
    if size:
        return f"from {size:,} shots on"
    if gains:
        return f"at {shots:,} shots; smaller sizes are undecided"
    return "at no size that this run resolves"


LABELS = {
    "prange": "prange, calls in a row",
    "prange after a pause": "prange, after a pause",
    "pool": "a pool that is used again",
    "new pool": "a new pool for each call",
}


@table
def overheads(entry, door, pays):
    """What a call costs, and from which size on it pays."""
    return [
        {
            "": label,
            "a call of 10 shots": door[name].short,
            "pays": pays[name],
            "one core must need at least": _alone(entry, name),
        }
        for name, label in LABELS.items()
    ]


def _alone(entry, name):
    size = ahead_from(entry, "one core", name)
    return entry.seconds("one core", size).short if size else None


def pool_needs(entry):
    """Return the shortest call on one core for which a pool pays."""
    size = ahead_from(entry, "one core", "pool")
    return entry.seconds("one core", size).about if size else "–"


@expect
def extremes(door):
    most, least = door["new pool"], door["prange"]
    return (
        most > door["pool"],
        most > door["prange after a pause"],
        door["pool"] > least,
    )


def can_gain(door, threads):
    """Return the shortest call on one core that can gain, by each method."""
    part = threads / max(threads - 1, 1)
    return {name: cost * part for name, cost in door.items()}


@answer("prange-from-how-much")
def from_how_much(threads, door, entry, sizes, gain):
    """Use `prange` if the call takes one core more than about
    {can_gain[prange].about}, and calls follow each other at once. After a
    pause the threads have gone to sleep, and it takes
    {can_gain[prange after a pause].about}: with {threads} threads, shorter
    calls cannot save the overhead.
    """
    enters = entry.ratio("one core", "prange", sizes[0]) < 1
    rested = door["prange after a pause"] > door["prange"]
    return threads > 1 or None, rested, enters, gain > 1


def ten_shots(doors):
    return {k: doors.seconds(k, 10) for k in ("processes", "Numba, prange")}


@answer("slower-on-short-arrays")
def slower_on_short_arrays(door):
    """If it has `parallel=True`, remove that: to start the threads costs
    {door[prange].about} a call, and {door[prange after a pause].about} if
    they have gone to sleep. If not, the first call may have compiled within
    the timing, or a list is converted at each call. On one core, Numba's
    overhead is below that of a NumPy operation.
    """
    return door["prange after a pause"] > door["prange"] > door["one core"]


@answer("prange-or-processes")
def or_processes(gain, yardstick, ten_shots):
    """`prange` where the loop compiles, and processes for Python that Numba
    cannot compile. With {shots:,} shots of π both gain on {threads} cores:
    `prange` is {gain.about} faster than one core, a pool of processes
    {yardstick.about} faster. But an estimate from ten shots takes
    {ten_shots[processes].about} in the pool of processes, and
    {ten_shots[Numba, prange].about} with `prange`.
    """
    slower = ten_shots["processes"] > ten_shots["Numba, prange"]
    return gain > 1, yardstick > 1, slower
