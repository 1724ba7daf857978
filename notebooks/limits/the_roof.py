"""What *Does your loop wait for memory or for arithmetic?* concludes."""

from onthefly.experiments.choice import roofs
from onthefly.experiments.choice.traffic import counted
from onthefly.experiments.memory.transfers import bandwidth
from onthefly.figures import plots
from onthefly.kernels.problems import PROBLEMS
from onthefly.page import answer, expect, figure
from onthefly.terminal.words import listed

INTO, FREE = "polynomial, into an array", "dot, in any order"


def cubic():
    return roofs.intensity("polynomial")


def _size(n):
    """Return the bytes of a cache as text."""
    return f"{n / 2**20:g} MiB" if n >= 2**20 else f"{n / 2**10:g} KiB"


def cache_sizes(book):
    sizes = sorted(book.machine["caches"].values())
    return listed([_size(n) for n in sizes])


def last_cache(book):
    return _size(max(book.machine["caches"].values()))


@figure
def memory_figure(book, moving, moved, sizes):
    """Bytes per second on one core, by the bytes of the arrays. Dotted: the
    size of each cache. Speed falls at each of them.
    """
    caches = book.machine["caches"].items()
    return plots.chart(
        {
            name: {
                n // 1024: trial.bandwidth(moved.seconds(name, n), n)
                for n in sizes
            }
            for name, trial in moving.items()
            if name != "triad"
        },
        x="KiB of the arrays",
        y="GB/s",
        logy=False,
        better="more",
        marks=[(n / 1024, k) for k, n in caches if sizes[0] < n < sizes[-1]],
    )


def copying_before(moving, moved, sizes):
    """Return the GB/s of the largest arrays in the first figure."""
    n = sizes[-1]
    return moving["copying"].bandwidth(moved.seconds("copying", n), n)


def one_core_moves(climbs, times):
    return climbs[0].bandwidth(times)


def cubic_at_most(one_core_moves, cubic):
    return (one_core_moves * cubic.ratio).named("Gflop/s")


def outgrown(moving, moved, sizes):
    near, far = (
        moving["copying"].bandwidth(moved.seconds("copying", n), n)
        for n in (sizes[0], sizes[-1])
    )
    return near / far


def peak(climbs, times):
    return climbs[0].peak(times)


def ridge(climbs, times, peak):
    return (peak / climbs[0].bandwidth(times)).named("")


def level(climbs, times):
    return climbs[0].time(times, 1) / climbs[0].time(times, 4)


def higher(climbs, times, peak):
    return climbs[-1].peak(times) / peak


def wider(climbs, times):
    return climbs[-1].bandwidth(times) / climbs[0].bandwidth(times)


@figure
def roofs_figure(climbs, times):
    """Polynomials of rising degree on arrays that fit no cache (points), and
    the two roofs (dashed). The slope is memory's, the level arithmetic's.
    """
    return plots.chart(
        {climb.name: climb.points(times) for climb in climbs},
        x="operations per byte",
        y="operations per second, in 10⁹",
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
    """Count its operations per byte that it reads and writes: on one core of
    this machine, a loop with fewer than {ridge.about} waits for memory if its
    arrays fit no cache. To test that, let it compute more: a loop that waits
    for memory takes hardly longer, and only fewer bytes make it faster.
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


@expect
def slow_loops(shares):
    numpy, numba = shares["polynomial, NumPy"], shares["polynomial, Numba"]
    others = [q < 0.9 for name, q in shares.items() if name != "dot, np.dot"]
    return shares["dot, np.dot"] > 0.9, others, numpy < 0.5, numba < numpy


@expect
def shorter_arrays_gain(book, n):
    times = book.timings_of("eight-problems", "polynomial")
    sizes = {*times.sizes("NumPy")} & {*times.sizes("Numba")}
    pair = "NumPy", "Numba"
    return [times.ratio(*pair, size) > 1 for size in sizes if size <= n / 2]


def moves(names, seed):
    """Return how many bytes NumPy moves per element, by loop."""
    each = {}
    for name in names:
        arrays = PROBLEMS[name].data(10_000, seed)
        work = counted(PROBLEMS[name].function("NumPy"), *arrays)
        each[name] = work.bytes / 10_000
    return each


def excess(moves):
    return {k: n / roofs.intensity(k).bytes for k, n in moves.items()}


def real(nearness, moves, n, fed_here):
    """Return how fast NumPy moves these bytes, over the copying loop."""
    seconds = nearness.seconds("polynomial, NumPy", n)
    moved = bandwidth(seconds, moves["polynomial"] * n)
    return (moved / fed_here).named("×")


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


def cubic_gain(nearness, repairs, n):
    compiled = repairs.seconds(INTO, n)
    return nearness.seconds("polynomial, NumPy", n) / compiled


@answer("chain-of-operations")
def chain_of_operations(cubic_gain, excess):
    """Compile a chain of operations as one loop that writes into an existing
    array: for a cubic on arrays that fit no cache, that is {cubic_gain.about}
    faster than NumPy. NumPy writes each intermediate result to memory and
    reads it again, {excess[polynomial]:g} times the bytes of one loop.
    """
    return cubic_gain > 1, excess["polynomial"] > 1.5


@answer("one-operation")
def one_operation(one_gain, n, cubic_gain):
    """Compile a chain of operations rather than a single one: on long arrays,
    NumPy's product by a constant and the compiled loop move the same bytes,
    and there is no measurable difference. On short arrays NumPy's overhead
    per call counts, and with 100 numbers the compiled loop is
    {one_gain[100].about} faster.
    """
    same = one_gain[n] < 1.1, one_gain[n] > 1 / 1.1
    return same, one_gain[100] > 1, cubic_gain > one_gain[n]
