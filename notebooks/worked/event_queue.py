"""What *A simulation with a queue of events* concludes."""

import re

from onthefly.experiments.worked import tables
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, table

STEPS = {
    "all": "dataclasses, all planned",
    "next": "plans the next arrival",
    "slots": "with slots",
    "tuples": "tuples",
    "PyPy": "plans the next, by PyPy",
    "mypyc": "written-out classes, mypyc",
    "Numba": "tuples, Numba",
    "jitclass": "a class, Numba",
    "Rust": "Rust",
}


def in_python(times):
    return times.ratio("all", "tuples")


def numba_gain(times):
    return times.ratio("all", "Numba")


def rust_gain(times):
    return times.ratio("all", "Rust")


def smaller_heap(times):
    return times.ratio("all", "next")


def slots(times):
    return times.ratio("slots", "next")


def tuples(times):
    return times.ratio("slots", "tuples")


def pypy(times):
    return times.ratio("next", "PyPy")


def unchanged(times):
    return times.ratio("mypyc, dataclasses", "next")


def native(times):
    return times.ratio("written out", "mypyc")


@expect
def little(times, native):
    """mypyc gains more where it finds the methods in the file."""
    return times.ratio("next", "mypyc, dataclasses") < native


def by_hand(times):
    return times.ratio("written out", "next")


def numba_over_tuples(times):
    return times.ratio("tuples", "Numba")


def jitclass(times):
    return times.ratio("jitclass", "Numba")


def typed(lists):
    return lists.ratio("typed list", "own list")


def rust_over_numba(times):
    return times.ratio("Numba", "Rust")


def shared(many):
    return many.ratio("tuples, in turn", "tuples, processes")


def compared(functions, shown):
    """Return how often cProfile saw two events compared, per customer."""
    return _comparisons(functions) / shown


def compared_again(again, shown):
    """Return the same where only the next arrival is planned."""
    return _comparisons(again) / shown


def _comparisons(seen):
    calls = re.search(r"^ *(\d+) .*\(__lt__\)$", seen["output"], re.M)
    return int(calls[1])


@expect
def less_memory(peaks):
    return peaks["next"] < peaks["all"]


@expect
def spread(by_line):
    """No line of the function takes a third of its time."""
    row = r"^ *\d+ +\d+ +[\d.]+ +[\d.]+ +([\d.]+) "
    shares = re.findall(row, by_line["output"], re.M)
    return max(map(float, shares)) < 33


def comparing(stacks):
    """Return the share of samples inside of __lt__."""
    return Quantity.share(stacks["inside"], stacks["samples"])


@figure(x="time of a simulation", log=True)
def steps_figure(times):
    """Each version of the simulation, of the same customers."""
    here = [name for name in STEPS if name in times.names]
    return {STEPS[name]: times.seconds(name) for name in here}


@table
def steps(times, peaks):
    """The versions, on one core."""
    return tables.steps(times, peaks, STEPS)


@table
def compiling(times, built):
    """What compiling takes: the first call of Numba's versions, with the
    import of Numba where it is the first; a build of the others, of Rust's
    with the crates that it needs.
    """
    taken = {
        STEPS[name]: times.first(name)
        for name in ("Numba", "jitclass")
        if name in times.names
    }
    taken |= {
        STEPS[name]: Quantity.exact(seconds, "s")
        for name, seconds in built.items()
    }
    return [
        {"version": name, "time to compile": seconds.short}
        for name, seconds in taken.items()
    ]


@table
def many_table(many, runs, each):
    """{runs} simulations of {each:,} customers each, with drawing their
    times.
    """
    return [
        {"simulations": name, "time": many.seconds(name).short}
        for name in many.names
    ]


@expect
def agreed(said):
    """Numba refuses the deque alone, and an array or a list replaces it."""
    output = " ".join(said["output"].split())
    return "Refused numba.njit" in output, "use arrays or lists" in output


@answer("objects-in-a-loop")
def objects_in_a_loop(pypy, numba_over_tuples):
    """Try PyPy first, which keeps your classes: a simulation with small
    objects and a heap is {pypy.about} faster there. In CPython, take tuples
    in place of objects, and compile the settled loop with Numba over arrays
    and lists of tuples: {numba_over_tuples.about} faster than the tuples.
    jitclass keeps the class, and is slower than a function.
    """
    return pypy > 1, numba_over_tuples > 2
