"""What *A large log file: where does the time go* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, table
from onthefly.page.showing import terminal

STEPS = {
    "dates": "as written first",
    "no dates": "makes no dates",
    "csv": "the csv module",
    "split": "splits the line",
    "processes": "splits, in processes",
    "pandas": "pandas",
    "NumPy": "bytes, as arrays",
    "Polars": "Polars",
    "Numba": "bytes, a compiled loop",
}


def undated(times):
    return times.ratio("dates", "no dates")


def polars(times):
    return times.ratio("dates", "Polars")


def numba(times):
    return times.ratio("dates", "Numba")


def split(times):
    return times.ratio("no dates", "split")


def csv(times):
    return times.ratio("csv", "split")


def against(times):
    """Return {version: its gain over splitting each line}."""
    names = ("processes", "pandas", "NumPy", "Polars", "Numba")
    return {name: times.ratio("split", name) for name in names}


def compiling(times):
    return times.first("Numba")


def slow_functions(functions):
    return terminal(functions)


def slow_stacks(stacks):
    return terminal(stacks)


def slow_lines(by_line):
    return terminal(by_line)


def confirm_said(said):
    return terminal(said)


def dated(stacks):
    """Return the share of samples inside of strptime."""
    return Quantity.share(stacks["inside"], stacks["samples"])


@expect
def leads(against):
    """A loop over bytes is faster than one over texts."""
    return against["Numba"] > 1


@figure(x="time of the whole program", log=True)
def steps_figure(times):
    """Each version of the program, on a log of the same lines."""
    return {STEPS[name]: times.seconds(name) for name in STEPS}


@table
def steps(times, peaks):
    """The versions, one core unless it says processes."""
    return [
        {
            "version": STEPS[name],
            "time": times.seconds(name).short,
            "faster than the first": times.ratio("dates", name).short,
            "memory": f"{peaks[name] / 1e6:.0f} MB"
            if name in peaks
            else None,
        }
        for name in STEPS
    ]


def _megabytes(size):
    return size and f"{size / 1e6:.0f} MB"


@expect
def agreed(said):
    """Numba cannot take the function as it is; the text should be numbers."""
    output = " ".join(said["output"].split())
    return "Refused numba.njit" in output, "text into numbers" in output
