"""What *The nearest of many points* concludes."""

import re

from onthefly.experiments.worked import tables
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, table

STEPS = {
    "Python": "two loops in Python",
    "NumPy": "NumPy, a query at a time",
    "broadcast": "NumPy, all at once",
    "blocks": "NumPy, in blocks",
    "BLAS": "a product of matrices",
    "cdist": "cdist of SciPy",
    "Numba": "two loops, compiled",
    "prange": "the same, all cores",
    "tree": "a k-d tree",
}
IN_BLOCKS = {
    "blocks": "blocks in turn",
    "threads": "a pool of threads",
    "Dask": "Dask",
}


def numba(times):
    return times.ratio("Python", "Numba")


def tree(times):
    return times.ratio("Python", "tree")


@expect
def tree_leads(tree, algorithm):
    return tree > 10, algorithm > 1


def lists(loops):
    return loops.ratio("arrays", "lists")


@expect
def one_function(functions):
    """The first row of cProfile's table is the function of the loops."""
    rows = functions["output"].splitlines()
    head = next(k for k, row in enumerate(rows) if "tottime" in row)
    return rows[head + 1].endswith("(search)")


def inside(stacks):
    """Return in which share of the samples the hot function ran."""
    return Quantity.share(stacks["inside"], stacks["samples"])


def percents(by_line):
    """Return the shares of the inner loop's lines, in per cent."""
    starts = ("for k,", "dx, dy, dz =", "square =", "if square")
    row = re.compile(r"\s*\d+ +\d+ +[\d.]+ +[\d.]+ +([\d.]+) +(.*)")
    found = map(row.match, by_line["output"].splitlines())
    return [float(r[1]) for r in found if r and r[2].startswith(starts)]


def inner(percents):
    return Quantity.exact(sum(percents) / 100, "%")


@expect
def spread_out(percents):
    return len(percents) == 4, sum(percents) > 90, max(percents) < 60


def against(times):
    """Return {version: its gain over the loops in Python}."""
    return {name: times.ratio("Python", name) for name in times.names}


def megabytes(peaks):
    return {k: tables.megabytes(size) or "–" for k, size in peaks.items()}


@expect
def blocks_small(peaks):
    return (peaks["blocks"] or 0) <= (peaks["broadcast"] or 0)


def blocks(times):
    return times.ratio("blocks", "broadcast")


def cdist(times):
    return times.ratio("NumPy", "cdist")


def product(times):
    return times.ratio("BLAS", "cdist")


@table
def cancelled_table(cancelled):
    """Of 2,000 queries, those whose nearest point is wrong."""
    return [
        {
            "moved by": f"{offset:,}",
            "wrong": f"{wrong:,}",
            "wrong, the mean subtracted": f"{centred:,}",
        }
        for offset, wrong, centred in cancelled
    ]


@expect
def centred_right(cancelled):
    """Nothing is wrong near the origin, much far away; centred, nothing."""
    first, *_, last = cancelled
    return first[1] == 0, last[1] > 100, all(row[2] == 0 for row in cancelled)


def compiled(times):
    return times.ratio("cdist", "Numba")


def compiling(times):
    return times.first("Numba")


def cores(times):
    return times.ratio("prange", "Numba")


def algorithm(times):
    return times.ratio("Numba", "tree")


def _from_where(times, slow, fast):
    """Return the size from which one is faster, at all that were measured."""
    at = times.sizes(fast)
    wins = [bool(times.ratio(slow, fast, size) > 1) for size in at]
    return next((size for k, size in enumerate(at) if all(wins[k:])), at[-1])


def one_core(growing):
    return _from_where(growing, "Numba", "tree")


def all_cores(growing):
    return _from_where(growing, "Numba, all cores", "tree, all cores")


def at_most(growing, sizes):
    return growing.ratio("Numba, all cores", "tree, all cores", sizes[-1])


@expect
def growth(growing, sizes):
    """From 1,000 to the most points, the loops grow more than the tree."""
    few, many = 1000, sizes[-1]
    grown = {
        name: growing.seconds(name, many) / growing.seconds(name, few)
        for name in ("Numba", "tree")
    }
    more = many / few
    return grown["Numba"] > 3 * more, grown["tree"] < 3 * more


@expect
def small_loses(growing, sizes):
    return growing.ratio("tree", "Numba", sizes[0]) > 1


@expect
def large_wins(growing, sizes, at_most):
    return growing.ratio("Numba", "tree", sizes[-1]) > 1, at_most > 1


@figure(x="queries, and points", y="time, with building the tree")
def growing_figure(growing):
    """As many queries as points, in three dimensions."""
    return growing


def dimensions_lost(higher):
    return _from_where(higher, "tree, all cores", "BLAS")


@expect
def high_loses(higher, dimensions):
    low, high = dimensions[0], dimensions[-1]
    return (
        higher.ratio("BLAS", "tree, all cores", low) > 1,
        higher.ratio("tree, all cores", "BLAS", high) > 1,
    )


@expect
def product_flat(higher):
    most, least = higher.seconds("BLAS", 24), higher.seconds("BLAS", 2)
    return most / least < 2


@figure(x="dimensions", y="time")
def higher_figure(higher):
    """The k-d tree and the product of matrices, both on all cores."""
    return higher


def dask(shared):
    return shared.ratio("Dask", "blocks")


def pool(shared):
    return shared.ratio("threads", "blocks")


def over_dask(shared, times):
    return shared.seconds("Dask") / times.seconds("tree")


@table
def in_blocks(shared, peaks):
    """Blocks of queries by NumPy: one after the other, and in threads."""
    return [
        {
            "version": IN_BLOCKS[name],
            "time": shared.seconds(name).short,
            "memory": tables.megabytes(peaks.get(name)),
        }
        for name in IN_BLOCKS
    ]


@figure(x="time of the whole program", log=True)
def steps_figure(times):
    """Each version of the program, with the same points."""
    return {STEPS[name]: times.seconds(name) for name in STEPS}


@table
def steps(times, peaks):
    """The versions. The product of matrices uses all cores, too; the others
    use one core, unless it says all.
    """
    return tables.steps(times, peaks, STEPS)


@expect
def agreed(said):
    """Numba, on arrays, is what the tool found, and argmin."""
    output = " ".join(said["output"].split())
    verdict, _, rest = output.partition("How")
    takes = "numba.njit" in verdict and "on arrays" in verdict
    return takes, "np.argmin" in rest


@expect
def squared(said):
    found = re.search(r"\(about n\^([\d.]+)\)", said["output"])
    return found and 1.7 < float(found[1]) < 2.3


@expect
def no_tree(said):
    return "tree" not in said["output"].lower()


@answer("nearest-points")
def nearest_points(algorithm, compiled, tree_leads, large_wins):
    """Take scipy.spatial.KDTree in few dimensions: with many points it is
    {algorithm.about} faster than compiled loops over all pairs, on one core
    each. For few points, or a distance of your own, compile the loops: Numba
    is {compiled.about} faster than cdist and holds no array of pairs.
    """
    return tree_leads, large_wins
