"""What *What does a copy cost, and when is a GPU worth it?* concludes."""

from onthefly import figures
from onthefly.experiments.history import builds
from onthefly.experiments.memory import transfers
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table, unresolved
from onthefly.page.verdicts import unmeasured

GENERATIONS = [2, 3, 4, 5, 6]  # of PCI Express
SETTLED = 10**7  # numbers, in each preset


def _rates(times):
    """Return {copy: {bytes: bandwidth}}."""
    return {
        k: {
            n: transfers.bandwidth(times.seconds(k, n), n)
            for n in times.sizes(k)
        }
        for k in times.names
    }


def rate(host):
    return _rates(host)["copy"]


@figure(x="bytes", y="GB/s", logy=False)
def host_figure(rate):
    return {"copy": rate}


def knee(law):
    return (law["a"] / law["b"]).named("")


@expect
def slower(rate, sizes):
    top = max(rate.values(), key=lambda q: q.value)
    return top / rate[sizes[-1]] > 1.2


def apart(parts):
    return parts.ratio("in parts", "one copy")


@figure(x="bytes from source to target, in a page", logx=False, logy=False)
def place_figure(place):
    """A copy of 65,536 bytes, by the place of its target."""
    return place


def beyond(place, distances):
    now = {d: place.seconds("as it is", d) for d in distances}
    return {d: now[d] / now[0] for d in distances}


def cured(place):
    way = "without REP MOVSB"
    return place.seconds(way, 8) / place.seconds(way, 0)


def slow(beyond):
    return [d for d, q in beyond.items() if q.value > 3]


def end(slow, distances):
    """Return the first distance behind the slow ones."""
    return next(d for d in distances if d not in (0, *slow))


@expect
def only_near(beyond, end, cured):
    near = [q > 3 if 0 < d < end else q < 3 for d, q in beyond.items()]
    return beyond[40] / beyond[8] < 0.7, near, cured < 1.5


@figure(x="numbers", y="time to hand over")
def handing_figure(handing):
    return handing


@expect
def alike(handing):
    shared = handing.seconds("torch.from_dlpack", 10**7)
    few = handing.seconds("torch.from_dlpack", 10)
    copied = handing.seconds("torch.tensor, a copy", 10**7)
    return shared / few < 2, copied / shared > 10


@figure(x="bytes", y="GB/s", logy=False)
def copies_figure(crossing):
    return _rates(crossing)


def laws(crossing, trials):
    return {m: transfers.lines(crossing, m) for m in trials.MEMORIES}


@table
def constants(laws, link=None):
    """The two constants of each copy."""
    return transfers.constants(laws, transfers.rating(**link) if link else 0)


def bound(by_numpy, at_most):
    return {
        name: {g: at_most(name, g) for g in GENERATIONS}
        for name in by_numpy.names
    }


@figure
def bound_figure(bound):
    """The most that a GPU could gain over NumPy on this machine, if {most:,}
    numbers are sent there and then back. Below the
    dotted line, NumPy is faster.
    """
    chart = figures.lines(
        bound,
        x="generation of PCI Express, 16 lanes",
        y="speed over NumPy, at most",
        logx=False,
        better="more",
    )
    axes = chart.figure.axes[0]
    axes.set_xticks(GENERATIONS)
    axes.axhline(1, color="#888888", linewidth=1, linestyle=":")
    legend = axes.get_legend()  # moved, not made anew: in the page's ink
    legend.set_loc("upper left")
    legend.set_bbox_to_anchor((1, 1))
    return chart


def side(bound):
    """Return how many rows the matrices have at which the bound is 1."""
    return (2**10 / bound["matmul"][5]).named("")


def stays(by_numpy, most):
    moved = Quantity.exact(2 * 4 * most / 4.8e12, "s")  # as NVIDIA rates it
    return by_numpy.seconds("add", most) / moved


def whole(ways_there, work, crossing):
    return ways_there(work, crossing)


def even(whole, reach):
    return {k: way.even(reach) for k, way in whole.items()}


@table
def pays(whole, even, tried, reach):
    """From which size the device pays."""
    return transfers.even_rows(whole, even, tried, reach[1])


def miss(whole, work):
    off = [abs(r - 1) for way in whole.values() for _, r in way.predicted]
    return work.derived(Quantity.median(off, "%"))


def added(work, laws):
    most = work.sizes("add, resident")[-1]
    trip = transfers.round_trip(laws["pinned"], 4 * most)
    return work.seconds("add, resident", most) / trip


@judge("host-to-device-path")
def across(chain, laws, most):
    trip = transfers.round_trip(laws["pinned"], 4 * most)
    return chain.seconds("additions") / 10 / trip


@table
def eager_additions(added, across=None):
    """An eager addition over the copies there and back."""
    over = "time over that of the copies"
    return [
        {"by": "TensorFlow, as drawn", over: across and across.short},
        {"by": "PyTorch", over: added.short},
    ]


@answer("gpu-from-which-size")
def from_which_size(bound):
    """Divide NumPy's time by what the bus needs for the copies before you
    port anything, and leave data on the GPU between operations. Over PCI
    Express 5 and back, adding 1 to {most:,} numbers reaches at most
    {bound[add][5].about} NumPy's speed on this machine, however fast the GPU,
    and a product of matrices of 1,024 rows at most {bound[matmul][5].about}.
    """
    adding, multiplying = bound["add"][5], bound["matmul"][5]
    return adding < 1, multiplying > 4 * adding


def settled():
    return SETTLED


@figure(x="numbers drawn")
def reads_figure(reads):
    """With {settled:,} numbers, the array takes longer than one element by
    {gap.about} the time of a copy.
    """
    return reads


@judge("overhead-get-scalar-from-cupy")
def gap(reads):
    took = {k: reads.seconds(k, SETTLED) for k in reads.names}
    return (took["Array"] - took["Scalar"]) / took["copy alone"]


@judge("overhead-get-array-from-cupy")
def get_array(reads):
    if reads.origin:
        return unmeasured()
    few = reads.ratio("NumPy", "Array", reads.sizes("Array")[0])
    many = reads.ratio("NumPy", "Array", SETTLED)
    return unresolved(
        "the slide does not say whether 1/16✕ is a speed or a time, nor at "
        f"which size; CuPy, the array fetched, is {few.as_speed} NumPy with "
        f"few numbers, and {many.as_speed} NumPy with {SETTLED:,}"
    )


@judge("overhead-cupy-modules")
def cupy_modules(modules=None):
    if modules:
        return Quantity.share(len(modules["agree"]), modules["asked"])
    return Quantity.share(len(builds.modules()), len(builds.MODULES))


@figure(x="bytes", y="GB/s", logy=False)
def sweep_figure(fetch):
    """Where the curve of the fresh array falls most, a byte takes longer by
    {steps[fresh].about} there, and by {steps[used before].about} in an array
    used before.
    """
    return _rates(fetch)


def steps(fetch):
    """Return by how much a byte takes longer at the largest step."""
    return transfers.largest_step(fetch)[1]


@judge("overhead-jump-cache-question")
def jump_cache(steps):
    """in pinned memory, where the driver copies nothing, a byte takes
    {steps[pinned].about} longer.
    """
    fresh = steps["fresh"]
    left = (steps["used before"] / fresh).named("%")
    if fresh.value < 0.1:
        return unmeasured("no jump here")
    if left.low >= 0.5 and not left.origin:
        return unresolved("it may be a cache, or the driver's copying")
    return left
