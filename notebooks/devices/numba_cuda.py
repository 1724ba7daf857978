"""What *How do you write and test a GPU kernel in Numba?* concludes."""

import numpy as np
from scipy import stats

from onthefly.kernels import z_score
from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.page import answer, claims, expect, figure, judge, table
from onthefly.page.missing import Missing
from onthefly.page.verdicts import unmeasured
from onthefly.tools import occupancy

SIZES = [25, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024]


@judge("numba-cuda-launch-brackets")
def launch_brackets(shapes):
    outcomes = [shapes["bare"], *shapes["same"]]
    return Quantity.share_of(outcomes)


@judge("numba-cuda-per-thread-random")
def per_thread_random(states, shapes, from_streams, from_twister, many):
    checks = [
        len(np.unique(states)) == len(states),
        all(shapes["same"]),
        z_score(4 * from_streams.sum() / many, many) < 5,
        stats.epps_singleton_2samp(from_streams, from_twister).pvalue > 1e-6,
    ]
    return Quantity.share_of(checks)


def every_card(cards, limits=None):
    if not limits:
        return cards
    return cards | {f"measured: {limits['name']}": occupancy.Device(**limits)}


def _filled(card, shape, registers):
    shares = occupancy.filled(card, *shape, registers)
    return {part: Quantity.exact(x, "%") for part, x in shares.items()}


@table
def fill(every_card, blocks, threads, registers):
    """Share of each card that a launch of (blocks, threads) uses."""
    rows = []
    for name, card in every_card.items():
        full = occupancy.wave(card, 256, registers), 256
        for shape in ((blocks, threads), full):
            row = {"card": name, "launch": str(shape)}
            rows.append(row | _filled(card, shape, registers))
    return rows


def places(fill):
    """Return {card: share of its slots that the talk's launch takes}."""
    return {row["card"]: row["slots"] for row in fill[::2]}


@expect
def mostly_empty(places):
    return [share.value < 0.5 for share in places.values()]


@figure(x="threads a block", y="occupancy", logy=False)
def occupancy_figure(every_card, registers):
    """Share of a card's room for threads that blocks of each size can fill,
    computed with {registers} registers a thread. Where lines coincide, one
    hides the other.
    """
    return {
        name: {
            n: Quantity.exact(occupancy.occupancy(card, n, registers), "%")
            for n in SIZES
        }
        for name, card in every_card.items()
    }


def fitting(occupancy_figure):
    """Return the sizes of a block that fill every card best."""
    curves = occupancy_figure.values()
    return [
        n
        for n in SIZES
        if all(c[n].value >= q.value for c in curves for q in c.values())
    ]


@expect
def fits_all(fitting):
    return bool(fitting), 25 not in fitting


def line(made):
    counts = made.sizes()
    return models.line(counts, [made.seconds("moved on", n) for n in counts])


def cheaper(made):
    return made.ratio("moved on", "hashed", made.sizes()[-1])


def all_states(line, cards):
    return line["b"] * cards["H200 (9.0)"].slots


@figure(x="time in a fresh process", log=True)
def first_figure(steps):
    return {name: steps.seconds(name) for name in steps.names}


def extra(first):
    return first.seconds("first call") - first.seconds("second call")


@table
def first_calls(first, extra):
    """What a first call on a GPU takes beyond the second."""
    cached = first.seconds("cached call") - first.seconds("second call")
    return [
        {"first call": "as it is", "beyond the second": extra.short},
        {"first call": "cache=True", "beyond the second": cached.short},
    ]


def states_first(first_figure):
    return first_figure["states, first"] - first_figure["states, second"]


def on_host(first_figure, states_first, lack):
    """Return the time of what a first call does without a GPU."""
    if lack:
        return Missing(lack)
    compiled = first_figure["kernel to PTX, first"]
    return states_first + compiled + first_figure["PTX to machine code"]


@judge("numba-cuda-first-call-cost")
def first_call_cost(on_host=None, extra=None):
    """the steps that need no device, without loading the compiler, take
    {on_host.about}.
    """
    rule = claims.load().claims["numba-cuda-first-call-cost"].expect
    if on_host and on_host > rule["value"]:
        return [extra, on_host]
    return extra or unmeasured("needs a CUDA device")


def compiler(lack, said, double, today):
    """Return what today's compiler says, or what is missing of it."""
    if lack:
        return Missing(lack)
    return {"kernels": said, "double": double, **today}


@judge("numba-cuda-not-portable")
def not_portable(compiler, dialect):
    kernels = compiler["kernels"]
    of_talk = [yes for k, yes in kernels.items() if k != dialect.SHARES_NONE]
    return Quantity.share_of(of_talk)


@table
def single_speeds(precision):
    """Speed in single precision over float64, on a full GPU."""
    ways = {
        "uniform_float32": "the library's float32",
        "24 bits, float32": "24 bits, times 2⁻²⁴",
    }
    return [
        {
            "conversion": name,
            "speed over float64": precision.ratio(
                "uniform_float64", way
            ).short,
        }
        for way, name in ways.items()
    ]


def refusals(compiler, dialect):
    return Quantity.share(*dialect.refused(compiler["NumPy"]))


@judge("numba-cuda-no-numpy")
def no_numpy(dialect, refusals=None, then=None):
    return then and Quantity.share(*dialect.refused(then["NumPy"])), refusals


@judge("numba-cuda-minimum-capability")
def minimum_capability(then):
    """Today's compiler takes {compiler[lowest][0]}.{compiler[lowest][1]} at
    least.
    """
    major, minor = then["lowest"]
    return Quantity.exact(major + minor / 10)


@judge("numba-cuda-against-python")
def against_python(final):
    return final.ratio("Python", "Numba CUDA", 10_000)


@judge("numba-cuda-against-numpy")
def against_numpy(final):
    return final.ratio("NumPy", "Numba CUDA", 10_000)


@figure(x="shots of 1000 calls")
def ways_figure(final):
    return final


def best(sweep, kernel_timings):
    return kernel_timings.best_launch(sweep)[-1]


@figure(x="blocks")
def launches_figure(sweep):
    """The best launch is {best.about} faster than the talk's."""
    return sweep


@answer("own-kernel-on-a-gpu")
def own_kernel(compiler, shapes):
    """Numba CUDA for a loop of your own: you write its kernel in Python and
    test it without a GPU, but it returns nothing and makes no arrays, and the
    compiler refuses {refusals.note} of NumPy's functions that we tried. CuPy
    where operations on whole arrays do, or for a kernel in CUDA C++.
    """
    returns_none = compiler["kernels"]["it returns no value"]
    no_arrays = compiler["NumPy"]["np.zeros"] == "refused"
    return all(shapes["same"]), no_arrays, returns_none
