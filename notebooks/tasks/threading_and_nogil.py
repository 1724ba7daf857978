"""What *Which functions let go of the GIL* concludes."""

from onthefly.experiments.gil import by_size
from onthefly.measure import nogil
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure, judge, table
from onthefly.terminal.words import listed

WORDS = {
    nogil.RELEASES: "scales",
    nogil.PARTLY: "scales in part",
    nogil.HOLDS: "takes turns",
}


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


@figure(x="calls of two threads over one", reference=1)
def fraction(gain, ranked):
    return {name: gain[name] for name in ranked}


@table
def functions(ranked, ticks, reports):
    """Functions in threads."""
    return [
        {
            "function": name,
            "lets go": "yes" if ticks[name] else "never",
            "share that gains (Amdahl)": reports[name].fraction,
            "in threads": WORDS.get(
                reports[name].verdict, reports[name].verdict
            ),
        }
        for name in ranked
        if name in ticks
    ]


@judge("numpy-partial-nogil")
def partial_nogil(book, gain):
    helped, below = gain["π, the talk's"], 0.9 * min(2, book.real_cores)
    own_streams = gain["π, own streams"]
    return Quantity.held([helped > 1, helped < below, own_streams < below])


def of_numpy(ranked, ticks, gain):
    """Return which of NumPy's calls gain, which do not, and which may."""
    found = {"gain": [], "do not": [], "may": []}
    for name in ranked:
        if name in ticks and not name.startswith(("Numba", "π")):
            not_so = "do not" if gain[name] < 1.2 else "may"
            call = name.replace(", ", " of ").replace("own G", "a G")
            found["gain" if gain[name] > 1.2 else not_so].append(call)
    none = ["none of these"]
    return {k: listed(calls or none) for k, calls in found.items()}


@answer("numpy-in-threads")
def numpy_in_threads(gain, held_gain_nothing):
    """A call runs in the thread that makes it, and on one core; only products
    of matrices take more by themselves, by BLAS. By threads of yours gain
    those that let go of the GIL, on long arrays, and share no other lock. Two
    threads with arrays of up to {n:,} numbers each gain by {of_numpy[gain]}
    (`sin`: {gain[sin].about} the calls of one), and not by {of_numpy[do not]}
    (not resolved: {of_numpy[may]}); `add` lets go from {begin} elements on.
    """
    return held_gain_nothing, gain["sin"] > 1.2, gain["np.random.rand"] < 1.2


def curves(book, against, ways, sizes):
    return by_size.gains(against, book.cores, ways, sizes)


@figure(
    x="elements",
    y="calls of two threads over one",
    logy=False,
    marks=[(501, "lets go")],
)
def sizes_figure(curves):
    return curves


def kernel(by_system):
    return {k: Quantity.exact(share, "%") for k, share in by_system.items()}


def over(times, hits, shots):
    return {k: times.ratio("NumPy", k, shots) for k in list(hits)[1:]}


def draws(times, shots):
    return times.ratio("draws, NumPy", "draws, compiled", shots)


def speeds(spread):
    one = spread.seconds("nogil", 1)
    return {
        t: one / spread.seconds("nogil", t) for t in spread.sizes("nogil")
    }


def beyond_cores(book, speeds):
    text = (
        f", more than {book.real_cores} cores can give: each of six also has "
        "fewer numbers at a time"
    )
    return text if speeds[6].low > book.real_cores else ""


@figure(x="times as fast as NumPy", reference=1, log=True)
def nogil_figure(over, spread, lots):
    return over | {
        f"{t} thread{'s' * (t > 1)}, {lots:,} shots": spread.ratio(
            "NumPy", "nogil", t
        )
        for t in spread.sizes("nogil")
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
def summary_chart(spread, best):
    """The best number of threads is {best}."""
    return spread.ratio("NumPy", "nogil", best)
