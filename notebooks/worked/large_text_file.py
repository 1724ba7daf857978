"""What *A large log file: where does the time go* concludes."""

from onthefly.experiments.worked import tables
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, table
from onthefly.page.showing import program

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
    return times.ratio("split", "no dates")


def by_pandas(times):
    return times.ratio("pandas", "split")


def csv(times):
    return times.ratio("csv", "split")


def against(times):
    """Return {version: its gain over splitting each line}."""
    names = ("processes", "pandas", "NumPy", "Polars", "Numba")
    return {name: times.ratio("split", name) for name in names}


def grouping_code():
    names = ("numpy", "pandas", "polars")
    return program(*(f"programs/grouping/grouping_{n}.py" for n in names))


def grouped(from_lists):
    """Return {library: its gain over a dict}, all from lists."""
    return {"Polars": from_lists.ratio("dict", "Polars")}


def listed(from_lists):
    """Return {library: its time over that of a dict}, all from lists."""
    return {
        name: from_lists.ratio(name, "dict") for name in ("NumPy", "pandas")
    }


@table
def groups(from_lists, from_arrays, lines):
    """Sums of {lines:,} whole numbers by 1,000 keys. Polars uses all cores,
    the others one.
    """
    return [
        {
            "method": name,
            "from lists": from_lists.seconds(name).short,
            "from arrays": from_arrays.seconds(name).short
            if name in from_arrays.names
            else None,
        }
        for name in ("dict", "NumPy", "pandas", "Polars")
    ]


@expect
def arrays_gain(from_lists, from_arrays):
    slow = from_lists.seconds("dict")
    return [slow / from_arrays.seconds(n) > 1 for n in from_arrays.names]


def compiling(times):
    return times.first("Numba")


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
    return tables.steps(times, peaks, STEPS)


@expect
def agreed(said):
    """Numba cannot take the function as it is; the text should be numbers."""
    output = " ".join(said["output"].split())
    return "Refused numba.njit" in output, "text into numbers" in output


@answer("text-in-processes")
def text_in_processes(against):
    """Give each process a part of the file, by its place in it, and let it
    return a small result: text and dicts are pickled on both ways, which
    takes longer than splitting a line. With such parts, processes are
    {against[processes].about} faster here than one; Polars, which reads the
    file in threads, is {against[Polars].about} faster.
    """
    return against["processes"] > 1, against["Polars"] > 1


@answer("group-by")
def group_by(grouped, listed, arrays_gain):
    """Begin with a `defaultdict`: from lists, NumPy takes
    {listed[NumPy].about} as long as a dict, and only Polars is clearly
    faster ({grouped[Polars].about}). Keep the data in arrays or in a table,
    and take `group_by` of Polars, `groupby` of pandas, or `np.bincount(keys,
    weights=values)` if the keys are small whole numbers.
    """
    return arrays_gain, grouped["Polars"] > 1.3
