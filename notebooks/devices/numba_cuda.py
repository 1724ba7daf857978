"""What *Numba CUDA* concludes."""

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


def _published(claim):
    return claims.load().claims[claim].expect["value"]


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
    """Share of each device that a launch uses."""
    rows = []
    for name, card in every_card.items():
        full = occupancy.wave(card, 256, registers), 256
        for shape in ((blocks, threads), full):
            row = {"device": name, "launch": str(shape)}
            rows.append(row | _filled(card, shape, registers))
    return rows


def places(fill):
    """Return {card: share of its places that the talk's launch takes}."""
    return {row["device"]: row["slots"] for row in fill[::2]}


@expect
def mostly_empty(places):
    return [share.value < 0.5 for share in places.values()]


@figure(x="threads a block", y="occupancy", logy=False)
def occupancy_figure(every_card, registers):
    """Occupancy of a device full of such blocks, by arithmetic, {registers}
    registers a thread. Where lines coincide, one hides the other.
    """
    return {
        name: {
            n: Quantity.exact(occupancy.occupancy(card, n, registers), "%")
            for n in SIZES
        }
        for name, card in every_card.items()
    }


def fitting(occupancy_figure):
    """Return the sizes of a block that get the most out of every card."""
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
    """What a first call on a device takes beyond the second."""
    cached = first.seconds("cached call") - first.seconds("second call")
    return [
        {"first call": "as it is", "beyond the second": extra.short},
        {"first call": "cache=True", "beyond the second": cached.short},
    ]


def on_host(first_figure, lack):
    """Return the time of what a first call does without a device."""
    if lack:
        return Missing(lack)
    states = first_figure["states, first"] - first_figure["states, second"]
    compiled = first_figure["kernel to PTX, first"]
    return states + compiled + first_figure["PTX to machine code"]


@judge("numba-cuda-first-call-cost")
def first_call_cost(on_host=None, extra=None):
    """the steps that need no device, without loading the compiler, take
    {on_host.about}.
    """
    if on_host and on_host > _published("numba-cuda-first-call-cost"):
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
    """Speed in single precision over float64, on a full device."""
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


def goal(cpu):
    """Return how long a call may take for the talk's factor."""
    return cpu.seconds("Python", 100) / _published(
        "numba-cuda-against-python"
    )


@judge("numba-cuda-against-python")
def against_python(final):
    return final.ratio("Python", "Numba CUDA", 10_000)


@judge("numba-cuda-against-numpy")
def against_numpy(final):
    return final.ratio("NumPy", "Numba CUDA", 10_000)


@figure(x="shots of 1000 calls")
def ways_figure(final):
    return final


@figure(x="blocks")
def launches_figure(sweep):
    return sweep


def best(sweep, kernel_timings):
    return kernel_timings.best_launch(sweep)[-1]


def kernel_share(calls):
    kernel = calls.seconds("kernel, by events", 100)
    return (kernel / calls.seconds("talk's call", 100)).named("%")


@table
def talks_call(best, kernel_share):
    """The talk's call on a device."""
    share = "the kernel's share of the talk's call, 100 shots a thread"
    return [
        {
            "on a device": "speed of the best launch over the talk's",
            "": best.short,
        },
        {"on a device": share, "": kernel_share.short},
    ]


def beside_c(libraries=None):
    if libraries is None:
        return "no recorded machine can tell"
    return libraries.ratio("CUDA C, limit", "Numba CUDA, limit").about


@answer("own-kernel-on-a-gpu")
def own_kernel(compiler, shapes):
    """Numba CUDA for a loop of your own that you want to check without a
    device, thread by thread: its kernel is Python that returns nothing and
    makes no arrays, and of NumPy's functions its compiler refuses
    {refusals.note}. CuPy where operations on whole arrays do, or where a
    kernel needs what only CUDA C++ has. Speed of one loop on a device in
    Numba CUDA over the same in CUDA C++ by CuPy: {beside_c}.
    """
    returns_none = compiler["kernels"]["it returns no value"]
    no_arrays = compiler["NumPy"]["np.zeros"] == "refused"
    return all(shapes["same"]), no_arrays, returns_none
