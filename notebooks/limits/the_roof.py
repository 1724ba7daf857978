"""What *The roof of this machine* concludes."""

from onthefly.experiments.choice import roofs
from onthefly.experiments.choice.traffic import counted
from onthefly.experiments.memory.transfers import bandwidth
from onthefly.figures import plots
from onthefly.kernels.problems import PROBLEMS
from onthefly.page import answer, expect, figure, table

INTO, FREE = "polynomial, into an array", "dot, in any order"


def speed(moving, moved, sizes):
    return {
        name: {
            n // 1024: trial.bandwidth(moved.seconds(name, n), n)
            for n in sizes
        }
        for name, trial in moving.items()
    }


@figure
def memory_figure(book, speed, sizes):
    """One core: bytes a second, by how many bytes it goes over. Dotted: the
    size of each cache.
    """
    caches = book.machine["caches"].items()
    return plots.chart(
        speed,
        x="KiB of the arrays",
        y="GB/s",
        logy=False,
        better="more",
        marks=[(n / 1024, k) for k, n in caches if sizes[0] < n < sizes[-1]],
    )


def copying(speed):
    near, *_, far = speed["copying"].values()
    return {"near": near, "far": far}


def peak(climbs, times):
    return climbs[0].peak(times)


def fed(climbs, times):
    return climbs[0].bandwidth(times)


def ridge(peak, fed):
    return (peak / fed).named("")


def level(climbs, times):
    return climbs[0].time(times, 1) / climbs[0].time(times, 4)


def higher(climbs, times, peak):
    return climbs[-1].peak(times) / peak


def wider(climbs, times, fed):
    return climbs[-1].bandwidth(times) / fed


@figure
def roofs_figure(climbs, times):
    """Polynomials of rising degree on arrays that no cache holds (points),
    and the two roofs, loops that were measured apart (dashed): memory's rises
    with the operations on a byte, that of arithmetic is level.
    """
    return plots.chart(
        {climb.name: climb.points(times) for climb in climbs},
        x="operations a byte",
        y="operations a second, in 10⁹",
        fits={climb.name: climb.roof(times) for climb in climbs},
        better="more",
    )


@expect
def near_roof(climbs, times):
    reached = [
        q / roofs.limit(x, climb.peak(times), climb.bandwidth(times))
        for climb in climbs
        for x, q in climb.points(times).items()
    ]
    return [(q > 0.5, q < 1.5) for q in reached]


@answer("memory-or-arithmetic")
def memory_or_arithmetic(ridge, cubic, level):
    """Count its operations for each byte that it reads and writes: on one
    core of this machine a loop with fewer than {ridge.about} waits for
    memory, if no cache holds its arrays (a cubic has {cubic.ratio:g}). The
    test is to give it more to compute: below that limit, a polynomial of
    degree 4 is {level.as_speed} one of degree 1. There save bytes, above it
    operations.
    """
    return ridge > cubic.ratio, level > 2 / 3


def _share(name, times, moving):
    """Return which part of its roof a loop reaches."""
    (size,) = times.sizes(name)
    problem = name.partition(",")[0]
    held = "reading" if problem == "dot" else "copying"
    roof = moving[held].bandwidth(times.seconds(held, size), 16 * size)
    return roofs.share(problem, size, times.seconds(name, size), roof)


def shares(loops, nearness, moving):
    return {name: _share(name, nearness, moving) for name in loops}


@figure(x="share of the roof", reference=1, better="more")
def shares_figure(shares):
    return shares


@expect
def all_wait(ridge, names):
    return [ridge > roofs.intensity(name).ratio for name in names]


def moves(names, seed):
    """Return how many bytes NumPy moves for an element, by loop."""
    each = {}
    for name in names:
        arrays = PROBLEMS[name].data(10_000, seed)
        work = counted(PROBLEMS[name].function("NumPy"), *arrays)
        each[name] = work.bytes / 10_000
    return each


def excess(moves):
    return {k: n / roofs.intensity(k).bytes for k, n in moves.items()}


def real(nearness, moves):
    """Return at which speed NumPy moves these bytes, by loop."""
    speeds = {}
    for name, each in moves.items():
        (size,) = nearness.sizes(f"{name}, NumPy")
        seconds = nearness.seconds(f"{name}, NumPy", size)
        speeds[name] = bandwidth(seconds, each * size)
    return speeds


@table
def of_an_element(moves, excess, real):
    """Operations and bytes of an element"""
    return [
        {
            "loop": name,
            "operations": float(roofs.intensity(name).flops),
            "bytes, at least": float(roofs.intensity(name).bytes),
            "bytes, NumPy": f"{moves[name]:.0f}",
            "times as many": f"{excess[name]:.1f}",
            "NumPy moves": real[name].short,
        }
        for name in moves
    ]


def repaired(pairs, repairs, moving):
    return {name: _share(name, repairs, moving) for name in pairs}


@figure(x="share of the roof", reference=1, better="more")
def repairs_figure(repaired):
    return repaired


def gain(repairs, n):
    return {
        "array": repairs.ratio("polynomial, Numba", INTO, n),
        "order": repairs.ratio("dot, Numba", FREE, n),
    }


@expect
def both_gain(gain, repaired):
    reached = repaired[INTO] > 0.7, repaired[FREE] > 0.7
    return gain["array"] > 1, gain["order"] > 1, reached


@expect
def once_and_there(excess, repaired, shares):
    more = [times > 1.5 for times in excess.values()]
    return more, repaired[INTO] > shares["polynomial, NumPy"]


def long_gain(one_gain, n):
    return one_gain[n]


def cubic_gain(nearness, repairs, n):
    compiled = repairs.seconds(INTO, n)
    return nearness.seconds("polynomial, NumPy", n) / compiled


@answer("chain-of-operations")
def chain_of_operations(cubic_gain, excess):
    """Each operation writes a whole array, and the next reads it again: for
    the cubic, on arrays that no cache holds, NumPy moves
    {excess[polynomial]:g} times the bytes that one loop must. The compiled
    loop is {cubic_gain.as_speed} NumPy, where its result has an array
    already. Do all that is to be done with a number at once.
    """
    return cubic_gain > 1, excess["polynomial"] > 1.5


@answer("one-operation")
def one_operation(long_gain, cubic_gain):
    """Hardly, on long arrays: a product of {n:,} numbers by a number is,
    compiled, {long_gain.as_speed} NumPy, for both move the same bytes. Of 100
    numbers it is {one_gain[100].as_speed} NumPy: there the price of the call
    counts. Compile a chain of operations, not one.
    """
    return long_gain < 1.5, long_gain > 2 / 3, cubic_gain > long_gain
