"""What *How fast can a GPU kernel get?* concludes."""

import math

from onthefly.experiments.gpu import best, energy
from onthefly.experiments.speed import error_law
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table
from onthefly.page.missing import Missing
from onthefly.page.verdicts import unmeasured


@judge("device-limit-same-hits")
def same_hits(same):
    agree = [hit for each in same.values() for hit in each.values()]
    return Quantity.share_of(agree)


@table
def instructions(counts, device_limit):
    """Instructions per point, by version of the loop and unit."""
    return device_limit.rows(counts)


@expect
def saved(counts, limit):
    plain, tuned = (
        sum(counts[way].values()) for way in ("hash", limit.TUNED)
    )
    return tuned < plain, not any("memory" in own for own in counts.values())


def fastest(times):
    """Return the seconds of the fastest way on one core, and on all."""
    return {
        cores: min(
            (times.seconds(name) for name in times.names if cores in name),
            key=lambda q: q.value,
        )
        for cores in ("one core", "all cores")
    }


def by_guide(at_most):
    return Quantity.exact(best.SHOTS / at_most, "s")


def over(fastest, by_guide):
    return {k: (q / by_guide).named("×") for k, q in fastest.items()}


def over_python(times, by_guide):
    factor = times.seconds("Python") / by_guide
    return f"{round(factor.value, -4):,.0f}×"


@expect
def no_gain(counts, fullest, limit):
    tuned, wide = counts[limit.TUNED], counts["hash, wide products"]
    return (
        counts["hash, float32"][fullest] >= tuned[fullest],
        sum(wide.values()) < sum(tuned.values()),
    )


@figure(x="time of 10⁹ points", log=True)
def headline(times, cores, by_guide):
    """The H200's row is computed; all others are measured on this CPU."""
    took = {k: times.seconds(k) for k in times.names}
    ranked = sorted(took, key=lambda k: -took[k].value)
    shown = {k.replace("all", str(cores)): took[k] for k in ranked}
    return shown | {"H200, limit by the guide": by_guide}


@table
def results_a_cycle(rates, device_roofs):
    """What a multiprocessor does in a cycle, measured and as documented."""
    per_cycle = device_roofs.a_cycle(rates)
    return [
        {"kind": kind, "results a cycle": per_cycle[kind]}
        | {f"documented, {c}": n for c, n in roof.per_sm.items()}
        for kind, roof in device_roofs.ROOFS.items()
    ]


def lowest(counts, rates, device_roofs):
    """Return {way: (fullest unit, seconds)} by the measured rates."""
    return {
        way: device_roofs.roof(device_roofs.needs(own, rates))
        for way, own in counts.items()
    }


def share(lowest, ways):
    """Return {way: what it reaches of its roof}."""
    return {
        way: (least / ways.seconds(way)).named("%")
        for way, (_, least) in lowest.items()
    }


@table
def roofs_and_times(lowest, ways, share):
    """Limit and time of each version."""
    return [
        {
            "version": way,
            "fullest unit": unit,
            "10¹² points, at least": least.short,
            "measured": ways.seconds(way).short,
            "of the limit": share[way].short,
        }
        for way, (unit, least) in lowest.items()
    ]


@judge("device-limit-share")
def limit_share(share, counts, limit, compiler, target):
    own = share[limit.TUNED]
    if not compiler.endswith(target):
        return unmeasured(f"instructions by {compiler}; here is {target}")
    if "part of a product" in counts[limit.TUNED]:
        return unmeasured(
            "this device makes a product of several instructions"
        )
    return unmeasured(f"{own}: count or rate is wrong") if own > 1.1 else own


@table
def libraries(library):
    """The best of each library on a GPU, and its bits per coordinate."""
    return [
        {
            "program": f"{name}, {best.BITS[name]} bits",
            "10⁹ points": library.seconds(name).short,
        }
        for name in library.names
    ]


@judge("device-limit-many-cores")
def many_cores(fastest, library):
    return fastest["one core"] / library.seconds("CUDA C, limit")


@table
def energies(joules=None, own=None):
    """Energy of 10⁹ points."""
    spent = {}
    if joules is not None:
        loads = [n for n in joules.names if n.startswith("10^9 shots, ")]
        for load in (name.removeprefix("10^9 shots, ") for name in loads):
            spent[load] = energy.per_shots(joules, load)
    if own is not None:
        spent["processor, all cores"] = energy.per_shots(own, "all cores")
    return [
        {"load": k, "10⁹ points": a.short, "less the idle power": b.short}
        for k, (a, b) in spent.items()
    ] or Missing("no counter of energy is here")


def off(grid):
    """Return by how many times 4/2^31 the grid of 31 bits errs."""
    return (grid["SplitMix64"] - math.pi) / (4 / 2**31)


def ends(grid, at_most):
    """Return after how many seconds at the roof the grid of 16 bits shows."""
    return error_law.reach(grid["hash"] - math.pi) / at_most


def longer(grid):
    """Return how many times more points a grid of 31 bits lasts for."""
    by_bits = [error_law.reach(pi - math.pi) for pi in grid.values()]
    return f"{round(max(by_bits) / min(by_bits), -4):,.0f}"


@judge("device-limit-lattice")
def lattice(off):
    return Quantity.exact(off)


@table
def law(run):
    """The error law on a GPU."""
    return run["rows"]


@judge("device-limit-error-law")
def law_of_long_run(run):
    if run["shots"] < 9.9e12:
        return unmeasured(f"ended at {run['shots']:.1e} shots")
    return error_law.power(
        {
            row["shots"]: Quantity(row["error"], row["low"], row["high"])
            for row in run["rows"]
        }
    )
