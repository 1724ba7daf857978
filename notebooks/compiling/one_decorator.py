"""What *How much faster does Numba make a loop?* concludes."""

from onthefly.experiments.numba.jitted import FEW, MANY
from onthefly.measure.quantity import Quantity
from onthefly.page import (
    answer,
    expect,
    figure,
    judge,
    table,
    unresolved,
)


def plain(own):
    return own.ratio("mine", "njit", 1000)


def step(own):
    return {name: own.seconds(name, 1000) / 1000 for name in own.names}


@figure(x="speed-up over the Python loop", reference=1)
def headline_figure(plain, gain, both_gains, most):
    """Compiled loops on one core, {most:,} shots for π and 1,000 steps of
    arithmetic. The last bar is not due to Numba alone: Python's loop draws
    from random.random, the compiled one from NumPy's faster generator.
    """
    return {
        "arithmetic": plain,
        "π": gain,
        "π, and a faster generator": both_gains,
    }


def both_gains(times, drawn, most):
    """Return the gain by compiling and NumPy's generator together."""
    return times.seconds("Python", most) / drawn.seconds("rng", most)


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
    """What compiling costs. With cache=True the compiler had started before
    the call.
    """
    return [
        {
            "": "first call, with the start of the compiler",
            "time": first.short,
        },
        {"": "later call", "time": later.short},
        {"": "cache=True, first process: compiles", "time": starts[0].short},
        {"": "cache=True, second process: loads", "time": starts[1].short},
    ]


@table
def changes(again):
    """What cache=True does after a change."""
    return [
        {k: v if k == "what changes" else _yes(v) for k, v in row.items()}
        for row in again
    ]


def _yes(said):
    return "yes" if said else "no"


@answer("cache-again")
def cache_again(again):
    """Empty `__pycache__` after you edit another file whose functions it
    calls: Numba does not notice, and silently returns the old result. It
    compiles again if the function's own file or the type of an argument
    changes.
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


def pays(first, own):
    saved = own.seconds("mine", 1000) - own.seconds("njit", 1000)
    return (first / saved).named("calls")


def calls(first, plain):
    """Return how many calls of 1 ms earn the first call back."""
    saved = (first / (1 - 1 / plain)).value
    return f"{float(f'{saved / 1e-3:.2g}'):,.0f}"


@answer("njit-from-how-many-calls")
def from_how_many_calls(plain, first, later):
    """Compile a loop that Python would run for longer, over all its calls,
    than the compiler takes: {first.about} for a small loop in a fresh
    process. For plain arithmetic that takes Python 1 ms a call, it pays after
    about {calls} calls.
    """
    return plain > 1, first.value > 100 * later.value


@expect
def compiles_elsewhere(elsewhere):
    first, second, another = elsewhere.values()
    return first, not second, another


@answer("cache-elsewhere")
def cache_elsewhere(compiles_elsewhere):
    """Yes, machines may share the files of `cache=True`: Numba stores the
    code under the processor's name and features, and another processor
    compiles its own. What it misses is a change in another file, on any
    machine.
    """
    return compiles_elsewhere


@answer("cache-saves")
def cache_saves(loads):
    """Use it if a program starts often, and call the function once at the
    start, before the first request. Compiling a small loop takes
    {starts[0].about}, and loading it from the cache {starts[1].about}. The
    cache does not save the import of Numba nor the start of its compiler.
    """
    return loads


@answer("numba-worth-it")
def numba_worth_it(plain, first, later):
    """Keep NumPy if one to three operations on arrays do the work. Take Numba
    if a Python loop remains that runs for seconds in all: a loop of plain
    arithmetic is {plain.about} faster with it, and the first call costs
    {first.about}.
    """
    return plain > 3, first.value > 100 * later.value


def given(drawn, most):
    return drawn.ratio("NumPy", "rng", most)


def swapped(drawn, most):
    return drawn.ratio("random", "rng", most)


def unpacking(drawn):
    return drawn.seconds("rng", 100) - drawn.seconds("random", 100)


def small(arrays):
    return arrays.ratio("NumPy", "compiled arrays", 100)


def behind(arrays, middle):
    return arrays.ratio("compiled arrays", "NumPy", middle)


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


def c_ahead(both, most):
    return both.ratio("Numba, random", "C, rand_r", most)


def pair_then(pair, versions):
    return pair * versions.ratio("Numba, now", "Numba, then")


@judge("numba-jit-against-cext")
def against_c(pair, pair_then=None):
    return pair_then, pair
