"""What *prange or a pool?* concludes."""

from onthefly.experiments.numba.rested import ahead_from
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, claims, expect, judge, unresolved
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
    """Say from which size on a way pays, or that it does where it gains."""
    size = ahead_from(entry, "one core", name)
    if size == max(entry.sizes(name)):
        return f"at {size:,} shots"
    if size:
        return f"from {size:,} shots on"
    if gains:
        return f"at {shots:,} shots, and from where on is left open"
    return "at no size that this run resolves"


@expect
def extremes(door):
    dearest = door["new pool"]
    least = door["pool"] > door["prange"]
    return (
        dearest > door["pool"],
        dearest > door["prange after a pause"],
        least,
    )


def can_gain(door, threads):
    """Return the shortest call on one core that can gain, each way."""
    part = threads / max(threads - 1, 1)
    return {name: price * part for name, price in door.items()}


@answer("prange-from-how-much")
def from_how_much(threads, door, entry, sizes, gain):
    """It can where {threads} threads save more than it costs to enter: from a
    call of {can_gain[prange].about} on, by one core, where parallel calls
    follow each other, and from {can_gain[prange after a pause].about} on
    where the threads have gone to sleep between them. For certain the loop of
    π gains {pays[prange]} in a row, and {pays[prange after a pause]} after a
    pause; in between, what the other core adds decides.
    """
    enters = entry.ratio("one core", "prange", sizes[0]) < 1
    rested = door["prange after a pause"] > door["prange"]
    return threads > 1 or None, rested, enters, gain > 1


def ten_shots(doors):
    return {k: doors.seconds(k, 10) for k in ("processes", "Numba, prange")}


@answer("prange-or-processes")
def or_processes(gain, yardstick, ten_shots):
    """`prange` where the loop compiles, and processes for Python that Numba
    refuses. With {shots:,} shots of π both gain on {threads} cores: `prange`
    is {gain.as_speed} one, a pool of processes {yardstick.as_speed} one; but
    an estimate from ten shots takes the pool {ten_shots[processes].about},
    and `prange` {ten_shots[Numba, prange].about}.
    """
    slower = ten_shots["processes"] > ten_shots["Numba, prange"]
    return gain > 1, yardstick > 1, slower
