"""What *What does a call cost, and when does NumPy pay?* concludes."""

import math

from onthefly.experiments.numba import call_ahead
from onthefly.figures import plots
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table


def rise(times):
    return {
        k: times.seconds(k, 100) / times.seconds(k, 10) for k in times.names
    }


@figure(x="shots", y="measured, over predicted", logy=False)
def unseen_figure(off):
    return off


@expect
def near_line(off):
    guesses = [q for ratios in off.values() for q in ratios.values()]
    return [(q > 0.8, q < 1.2) for q in guesses]


def furthest(off):
    """Return the measured time that is furthest from its prediction."""
    guesses = [q for ratios in off.values() for q in ratios.values()]
    return max(guesses, key=lambda q: abs(math.log(q.value))).named("%")


def far(beyond, numpy):
    """Return a call far beyond the fit, over what the line predicts."""
    return beyond.seconds("NumPy", 10**6) / numpy.at(10**6)


def gain(times):
    return times.ratio("Python", "NumPy", 10_000)


def most(programs):
    """Return the gain of a program whose loop takes no time."""
    rest = 1 - programs.ratio("loop alone", "Python").named("")
    return (1 / rest).named("×")


@expect
def sides(around, near):
    half, _, twice = (around.ratio("Python", "NumPy", n) for n in near)
    return half < 1, twice > 1


@figure
def lines_figure(times, python, numpy, pays):
    """The lines (dashed: a + b·n) cross at {pays.about} shots."""
    return plots.chart(
        times,
        x="shots",
        fits={"Python": python, "NumPy": numpy},
        marks=[(pays.value, "arrays pay")],
    )


def root(border):
    return {name: border.seconds(name, 2) for name in border.names}


@expect
def api_cheapest(border):
    others = [name for name in border.names if name != "C API"]
    return [border.ratio(name, "C API", 2) > 1 for name in others]


def longer(ahead):
    others = [name for name in ahead.names if name != call_ahead.API]
    return {name: ahead.ratio(name, call_ahead.API, 2) for name in others}


@answer("price-of-a-call")
def price_of_a_call(root, longer):
    """Pass whole arrays, or move the loop into the compiled function, and the
    call no longer matters. For one square root, a call takes {root[C
    API].about} by C's API and {root[NumPy].about} by NumPy; Cython is near
    the first, Numba and `ctypes` lie between the two.
    """
    between = [
        root["C API"] < root[name] < root["NumPy"]
        for name in ("Numba", "ctypes")
    ]
    return between, longer["Cython"] < 2


def handed(root, doors, entry, pools, stages, chains=None):
    """Return {what work is handed to: seconds that it costs}."""
    tasks = [stages.seconds("all of delayed", n) for n in (1, 60)]
    eager = chains.seconds("eager", 1) if chains else None
    costs = {
        "a function compiled by Numba, with a number": root["Numba"],
        "a function compiled by Numba, with an array": doors.seconds(
            "compiled"
        ),
        "a function of NumPy, with a number": root["NumPy"],
        "prange, if the last call ended just before": entry.seconds(
            "prange", 10
        ),
        "an operation of TensorFlow, eager": eager,
        "a thread of an open pool": doors.seconds("thread"),
        "prange, after a pause": entry.seconds("prange after a pause", 10),
        "dask.delayed, each of many tasks": (tasks[1] - tasks[0]) / 59,
        "a process of an open pool": doors.seconds("process"),
        "dask.delayed, a single task": tasks[0],
        "a new pool of two processes": pools.seconds("processes", 100),
    }
    return {name: cost for name, cost in costs.items() if cost is not None}


@table
def handing_over(handed):
    """What it costs to hand work over, on a machine of two cores."""
    return [
        {
            "handed to": name,
            "costs": cost.about,
            "shortest task worth it (ten times that)": (10 * cost).about,
        }
        for name, cost in sorted(
            handed.items(), key=lambda pair: pair[1].value
        )
    ]


@expect
def processes_need_more(handed):
    shortest = handed["a function compiled by Numba, with an array"]
    return handed["a process of an open pool"] > 100 * shortest


@answer("smallest-task")
def smallest_task(handed):
    """Make a task at least ten times as long as handing it over. That takes
    {handed[a thread of an open pool].about} for a thread of an open pool, and
    {handed[a process of an open pool].about} for a process; the table there
    has NumPy, `prange` and Dask, too.
    """
    thread = handed["a thread of an open pool"]
    return handed["a process of an open pool"] > thread


LIBRARIES = {
    "NumPy": "numpy",
    "Dask's delayed": "dask",
    "JAX": "jax",
    "Numba": "numba",
    "PyTorch": "torch",
    "TensorFlow": "tensorflow",
}


def importing(starts):
    """Return {library: seconds of its import}, of those that are known."""
    return {
        name: starts.seconds(module)
        for name, module in LIBRARIES.items()
        if module in starts.names
    }


# {method: (library, what a task of it is called in `handed`)}
METHODS = {
    "NumPy": ("NumPy", ""),
    "Numba": ("Numba", ""),
    "Numba, prange": ("Numba", ""),
    "PyTorch": ("PyTorch", ""),
    "TensorFlow": ("TensorFlow", ""),
    "JAX": ("JAX", ""),
    "threads": ("", "a thread of an open pool"),
    "processes": ("", "a process of an open pool"),
    "Dask": ("Dask's delayed", "dask.delayed, each of many tasks"),
}
SMALLEST = 10  # points: a call in which there is nothing to do


@table
def price(importing, firsts, calls, handed):
    """The price of entry of each method: π with ten points, or one task. A
    dash is a price that the method does not have, or that nobody measured.
    """
    pool = handed["a new pool of two processes"]
    rows = []
    for name, (library, task) in METHODS.items():
        alone = not task
        first = firsts.seconds(name) if alone and name in firsts.names else ""
        each = calls.seconds(name, SMALLEST) if first else ""
        prices = {
            "import": importing.get(library),
            "first call": pool if name == "processes" else first,
            "each call": each,
            "each task": handed.get(task),
        }
        rows.append(
            {"method": name}
            | {
                key: cost.about if cost else "–"
                for key, cost in prices.items()
            }
        )
    return rows


@answer("import-times")
def import_times(importing):
    """Import a large library only where you use it: TensorFlow takes
    {importing[TensorFlow].about}, Numba {importing[Numba].about}. NumPy's
    import is a small part of that. (Each was read twice.)
    """
    return [
        2 * importing[less].value < importing[more].value
        for less, more in (("NumPy", "Numba"), ("Numba", "TensorFlow"))
    ]


@judge("speedup-to-time-saved")
def time_saved(saved):
    printed = {10: 90, 20: 95, 50: 98, 100: 99}
    right = [round(100 * saved(s)) == share for s, share in printed.items()]
    return Quantity.share_of(right)


def worst(bent):
    return max(bent.values(), key=lambda q: abs(math.log(q.value)))


@expect
def bends(worst):
    return worst > 1.2 if worst.value > 1 else worst < 1 / 1.2
