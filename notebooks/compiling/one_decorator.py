"""What *One decorator* concludes."""

from onthefly.experiments.numba.jitted import FEW, MANY
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, judge, table, unresolved


def first(start):
    return start.first("njit", 1000)


def later(start):
    return start.seconds("njit", 1000)


def starts(cached):
    return [Quantity.exact(taken, "s") for taken, _ in cached]


@expect
def loads(cached, starts):
    return not cached[0][1], cached[1][1], starts[0] / starts[1] > 2


@table
def compiling_costs(first, later, starts):
    """What compiling costs."""
    return [
        {"": "first call, which starts the compiler", "time": first.short},
        {"": "later call", "time": later.short},
        {"": "cache=True, first process", "time": starts[0].short},
        {"": "cache=True, second process", "time": starts[1].short},
    ]


@table
def changes(again):
    """Kept by cache=True, and then."""
    return [
        {k: v if k == "what changes" else _yes(v) for k, v in row.items()}
        for row in again
    ]


def _yes(said):
    return "yes" if said else "no"


@answer("cache-again")
def cache_again(again):
    """When the text of its own file has changed, and for another type of
    argument. Not when a function changes that it calls from another file:
    then the old result came back, without a word. Empty `__pycache__` after
    such an edit.
    """
    compiled = [row["compiled again"] for row in again]
    return (
        compiled == [0, 1, 0, 1, 0],
        again[3]["right"],
        not again[4]["right"],
    )


def gain(times, most):
    return times.ratio("Python", "Numba", most)


def ahead(times, middle):
    return times.ratio("Numba", "NumPy", middle)


def pays(most, first, spared):
    return (most * first / spared / 1e6).named("million shots")


def calls(first, gain):
    """Return after how many calls of a time the first is earned back."""
    saved = (first / (1 - 1 / gain)).value
    each = {"1 µs": 1e-6, "1 ms": 1e-3}
    return {k: f"{float(f'{saved / s:.2g}'):,.0f}" for k, s in each.items()}


@answer("njit-from-how-many-calls")
def from_how_many_calls(gain, first, later):
    """The first call of the page's loop takes {first.about}, and compiled it
    is {gain.as_speed} Python's at 100,000 shots. At that gain, calls that
    take Python 1 µs earn it back after about {calls[1 µs]} of them, calls of
    1 ms after about {calls[1 ms]}.
    """
    return gain > 1, first.value > 100 * later.value


def unspent(starts):
    return (1 - starts[1] / starts[0]).named("%")


@answer("cache-saves")
def cache_saves(loads):
    """{unspent.about} of what the loop itself takes to compile, from the
    second process on: {starts[1].about} in place of {starts[0].about}, in a
    process that has compiled something before. What starts the compiler it
    does not save. Say it where a program starts often.
    """
    return loads


def given(drawn, most):
    return drawn.ratio("NumPy", "rng", most)


def factors(arrays, middle):
    return {
        n: arrays.ratio("NumPy", "compiled arrays", n) for n in (100, middle)
    }


def alike(arrays, middle):
    return arrays.ratio("compiled arrays", "compiled loop", middle)


def jit(jits):
    then, now = (
        ("NumPy, then", "jit, then"),
        ("NumPy, now", "jit of objects, now"),
    )
    return {
        n: (jits.ratio(*then, n), jits.ratio(*now, n)) for n in (FEW, MANY)
    }


@judge("numba-jit-on-numpy-gains-nothing")
def gains_nothing(jit):
    """at 100,000 shots it is {jit[100000][0].about}, today
    {jit[100000][1].about}
    """
    return jit[MANY]


def whole(jits, versions):
    return tuple(
        jits.seconds(f"NumPy, {k}", FEW) / versions.seconds(f"Numba, {k}")
        for k in ("then", "now")
    )


@judge("numba-jit-against-numpy")
def against_numpy(talked, whole=None):
    return [whole, talked.ratio("NumPy", "Numba", 10**6)]


def eight(crossings):
    return {
        k: crossings.seconds(k, 8) / crossings.seconds(k, 1)
        for k in crossings.names
    }


@expect
def by_call(crossings):
    numpy, numba = (crossings.seconds(k, 1) for k in ("NumPy", "Numba"))
    sizes = (2, 4, 8)
    grows = [crossings.seconds("NumPy", m) > m / 2 * numpy for m in sizes]
    stays = [crossings.seconds("Numba", m) < 1.5 * numba for m in sizes]
    return grows + stays


@judge("numba-single-conversion")
def single_conversion(by_call):
    as_said = Quantity.held(by_call)
    return as_said if as_said.is_exact else unresolved(as_said.note)


def pair(both, most):
    return both.ratio("C, rand_r", "Numba, random", most)


def same(both, most):
    return both.ratio("C, xoshiro", "Numba, xoshiro", most)


def pair_then(pair, versions):
    return pair * versions.ratio("Numba, now", "Numba, then")


@judge("numba-jit-against-cext")
def against_c(pair, pair_then=None):
    return pair_then, pair
