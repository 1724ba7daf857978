"""What *Which NumPy functions release the GIL?* concludes."""

from onthefly.experiments.gil import by_size
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge
from onthefly.terminal.words import listed


@expect
def by_objects(never):
    keep = [name in never for name in ("add, objects", "tolist")]
    lets_go = "count_nonzero, flags" not in never
    return keep, "count_nonzero, floats" in never, lets_go


@judge("numba-nopython-guarantees-nogil")
def nopython_guarantees_nogil(ticks):
    obeys = ticks["Numba, nogil"] > 0, ticks["Numba, object mode"] == 0
    return Quantity.share(sum(obeys), 2)


def gain(reports):
    return {name: report.speedups[2] for name, report in reports.items()}


def ranked(gain):
    return sorted(gain, key=lambda name: -gain[name].value)


@expect
def held_gain_nothing(gain, never):
    return len(never) > 0, [gain[name] < 1.5 for name in never]


def in_three_tasks(book):
    """Return what three tasks gain with a generator each, by their points."""
    causes = book.timings_of("three-threads", "causes")
    kind = "a stream each"
    return {n: causes.ratio(kind, f"{kind}, threads", n) for n in (10**5,)}


@figure(x="work of two threads over one", reference=1)
def fraction(gain, ranked):
    names = {"π, the talk's": "π, np.random.rand"}
    names |= {"π, own streams": "π, own Generator"}
    return {names.get(name, name): gain[name] for name in ranked}


@judge("numpy-partial-nogil")
def partial_nogil(book, gain):
    helped, below = gain["π, the talk's"], 0.9 * min(2, book.real_cores)
    own_streams = gain["π, own streams"]
    return Quantity.held([helped > 1, helped < below, own_streams < below])


def gaining(ranked, ticks, gain):
    """Return NumPy's calls that gain, as text."""
    found = [
        name.replace(", ", " of ").replace("own G", "a G")
        for name in ranked
        if name in ticks and not name.startswith(("Numba", "π"))
        if gain[name] > 1.2
    ]
    return listed(found or ["none of these"])


@answer("numpy-in-threads")
def numpy_in_threads(gain, held_gain_nothing):
    """Use threads for calls on long arrays that release the GIL and share no
    lock, here {gaining}: two threads compute `sin` of {n:,} numbers
    {gain[sin].about} faster than one. Other calls keep the GIL, as `tolist`
    does, or wait for one another, as those of `np.random.rand` do.
    """
    return held_gain_nothing, gain["sin"] > 1.2, gain["np.random.rand"] < 1.2


def curves(book, against, ways, sizes):
    return by_size.gains(against, book.cores, ways, sizes)


@figure(
    x="elements",
    y="work of two threads over one",
    logy=False,
    marks=[(501, "releases the GIL")],
)
def sizes_figure(curves):
    return {name: curves[name] for name in ("add", "sin")}


def speeds(spread):
    one = spread.seconds("nogil", 1)
    return {
        t: one / spread.seconds("nogil", t) for t in spread.sizes("nogil")
    }


def over_numpy(spread):
    return {
        t: spread.ratio("NumPy", "nogil", t) for t in spread.sizes("nogil")
    }


@figure(x="speed over NumPy in one thread", reference=1)
def nogil_figure(book, over_numpy):
    return {
        f"{t} thread{'s' * (t > 1)}": q
        for t, q in over_numpy.items()
        if t <= book.real_cores
    }


def _then_and_today(printed, way):
    return tuple(
        printed.ratio(f"NumPy, {when}", f"{way}, {when}", 10**5)
        for when in ("then", "now")
    )


@judge("nogil-numpy-rewrite-slows")
def rewrite_slows(printed):
    return _then_and_today(printed, "rewritten")


@judge("nogil-numpy-numba-gain")
def numba_gain(printed):
    return _then_and_today(printed, "rewritten, nogil")


@judge("nogil-numpy-six-threads")
def six_threads(speeds):
    return speeds[6]


def best(speeds):
    return max(speeds, key=lambda t: speeds[t].value)


@judge("nogil-summary-chart")
def summary_chart(over_numpy, best):
    """The best number of threads is {best}."""
    return over_numpy[best]
