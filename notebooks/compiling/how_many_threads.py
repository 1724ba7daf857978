"""What *How many threads should a parallel loop have?* concludes."""

from onthefly import figures
from onthefly.experiments.numba.layers import outcome
from onthefly.measure.quantity import Quantity
from onthefly.page import (
    answer,
    claims,
    expect,
    figure,
    judge,
    table,
    unresolved,
)


@expect
def as_told(started, book):
    expected = {
        "nothing set": book.cores,
        "NUMBA_NUM_THREADS=1": 1,
        "OMP_NUM_THREADS=1": book.cores,
        "may use one core": 1,
        "one core, NUMBA_NUM_THREADS=3": 3,
    }
    return [started[setting] == n for setting, n in expected.items()]


def limiting(by_loop, started):
    """Return how many settings limit today's threads."""
    by_call = all(worked <= int(n) for n, worked in by_loop.items())
    settings = ("NUMBA_NUM_THREADS=1", "may use one core")
    return Quantity.exact(by_call + sum(started[k] == 1 for k in settings))


@judge("numba-parallel-no-core-control")
def no_core_control(limiting, in_2018):
    if not in_2018:
        return None, limiting
    by_variable = in_2018["NUMBA_NUM_THREADS=1"] == 1
    return Quantity.exact(by_variable + in_2018["set_num_threads"]), limiting


def _entry(said):
    return Quantity.median(said["entry"]).short if said else None


@table
def threading_layers(tried, teams_of):
    """Threading layers, each in a process of its own."""
    return [
        {
            "layer": name,
            "asked for": teams_of[name],
            "worked": said.get("threads", "does not load"),
            "loop of one shot": _entry(said),
            "in a forked child": outcome(said.get("fork")),
            "two callers at once": outcome(said.get("twice")),
        }
        for name, said in tried.items()
    ]


@expect
def layers_obey(tried, teams_of):
    loads = {name: said for name, said in tried.items() if said}
    return [said["threads"] == teams_of[k] for k, said in loads.items()]


@expect
def traps(tried):
    traps = (tried["omp"], "fork"), (tried["workqueue"], "twice")
    return [said[k] != 0 if k in said else None for said, k in traps]


def speeds(grid):
    return {
        way: {
            n: grid.seconds(way, 1) / grid.seconds(way, n)
            for n in grid.sizes(way)
        }
        for way in grid.names
    }


def full(speeds, cores):
    return {way: points[cores] for way, points in speeds.items()}


def more(grid, cores, most):
    return {
        way: grid.seconds(way, cores) / grid.seconds(way, most)
        for way in ("prange", "pool")
    }


@figure
def speed_figure(speeds, cores):
    return figures.speed_against_threads(speeds, cores)


def as_asked(by_pool):
    return sum(worked == int(n) for n, worked in by_pool.items())


@judge("numba-nogil-pool-controls-cores")
def pool_controls_cores(full, cores):
    """{as_asked} of {most} pools had as many threads as asked for"""
    claim = claims.load().claims["numba-nogil-pool-controls-cores"]
    least = claim.expect["value"]
    own, processes = full["pool"] / cores, full["processes"] / cores
    if own < least and not processes > least:
        return unresolved(f"{own}: processes do not reach it for certain")
    return own


def worse(beside):
    return {
        (kind, n): beside.ratio(f"beside, {kind}", f"alone, {kind}", n)
        for kind in ("median", "mean")
        for n in beside.sizes()
    }


def mean_on_all(worse, cores):
    return worse["mean", cores]


@figure(x="beside busy neighbours, over alone", reference=1)
def neighbours_figure(worse):
    return {
        f"{kind}, {n} thread{'s' * (n > 1)}": q
        for (kind, n), q in worse.items()
    }


@answer("threads-of-prange")
def threads_of_prange(full, more, mean_on_all):
    """As many as cores are free. For π, {cores} threads on {cores} cores are
    {full[prange].about} faster than one, and {most} threads gain nothing
    more. When other programs need the cores, a short loop on all of them
    takes {mean_on_all.about} as long on average. Then use fewer threads, by
    `numba.set_num_threads`.
    """
    return full["prange"] > 1, more["prange"] < 1.25, mean_on_all > 1
