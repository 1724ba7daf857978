"""What *Which functions gain from Dask's threads?* concludes."""

from onthefly.kernels import z_score
from onthefly.measure import nogil
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
from onthefly.page.verdicts import unmeasured

CONTROLS = ("crash", "freeze")
OTHERS = "dask-others-gain-nothing"


@table
def ended(ends):
    """Libraries under Dask's threads."""
    return [
        {
            "process": k + " on purpose" * (k in CONTROLS),
            "runs": len(each),
            "ended": ", ".join(sorted({run["end"] for run in each})),
            "estimates": len(_estimates(each)),
        }
        for k, each in ends.items()
    ]


def _estimates(runs):
    return [p for run in runs for *_, e in run["done"] for p in e]


def of_libraries(ends):
    return [run for k in ends if k not in CONTROLS for run in ends[k]]


def came_out(of_libraries):
    return [run["end"] for run in of_libraries]


def estimates(of_libraries):
    return _estimates(of_libraries)


@expect
def all_end(ends, came_out, estimates):
    return (
        {run["end"] for run in ends["freeze"]} == {"frozen"},
        {run["end"] for run in ends["crash"]} == {"SIGSEGV"},
        [end == "completed" for end in came_out] or None,
        [z_score(p, 10**5) < 6 for p in estimates],
    )


def told_2018(in_2018):
    ends = [run["end"] for run in in_2018]
    counted = (f"{ends.count(end)} {end}" for end in sorted({*ends}))
    return ", ".join(counted) or "none here"


@judge("dask-pytorch-freezes")
def pytorch_freezes():
    return unmeasured(
        "needs PyTorch 0.4, which the package index does not have, perhaps "
        "on a CUDA device"
    )


@judge("dask-tensorflow-segfaults")
def tensorflow_segfaults(in_2018, ends):
    """Processes by TensorFlow 1.9 and Dask 0.18: {told_2018}."""

    def per_estimate(runs):
        crashed = sum(run["end"] == "SIGSEGV" for run in runs)
        made = len(_estimates(runs)) + crashed
        return Quantity.share(crashed, made) if made else None

    return per_estimate(in_2018), per_estimate(ends.get("tensorflow", []))


def _gains(times):
    """Return {function and way: how fast three threads are over series}."""
    in_series = [k for k in times.names if k.endswith(", series")]
    return {
        k.replace("series", way): times.ratio(k, k.replace("series", way))
        for k in in_series
        for way in ("delayed", "pool")
    }


def gain(three):
    return _gains(three)


def long_gain(long_tasks):
    return _gains(long_tasks)


def ideal(cores):
    """Return what threads can gain that share the cores' time (slide 16)."""
    return min(3, cores)


def whole_tasks(cores):
    return f"{3 / -(-3 // cores):g}"


@figure(x="three threads, times as fast as in series", reference=1)
def headline(gain):
    """Without the GIL, functions gain in the pool. On {cores} cores, three
    threads gain at most {ideal}×, and {whole_tasks}× if the system does not
    move tasks between cores.
    """
    return {k: q for k, q in gain.items() if not k.startswith("NumPy")}


def a_task(three):
    """Return the time of one of the three tasks of the loop in series."""
    return three.seconds("Numba, nogil, series") / 3


@expect
def others_alike(gain):
    names = ("C extension", "Numba, nogil, no state")
    here = [k for k in names if f"{k}, pool" in gain]
    return (
        [gain[f"{k}, pool"] > 1.1 for k in here],
        [gain[f"{k}, delayed"] < 1.1 for k in here],
    )


def over_numpy(three):
    return three.ratio("NumPy, pool", "Numba, nogil, pool")


def modern(three):  # it makes 40 times the shots
    return 40 * three.ratio("NumPy, pool", "Numba, nogil, no state, pool")


def behind_pool(three):
    return three.ratio("Numba, nogil, delayed", "Numba, nogil, pool")


@expect
def lock_decides(gain):
    free = ("C extension, pool", "Numba, nogil, pool")
    return (
        [gain[k] < 1.2 for k in ("Python, pool", "jit, pool")],
        [gain[k] > 1 for k in free if k in gain],
    )


@judge(OTHERS)
def others_gain_nothing(long_gain, here):
    keeping = [f"{k}, delayed" for k in ("Python", "jit", "TensorFlow")]
    held = [long_gain[k] for k in keeping if k in long_gain]
    timed = "TensorFlow, delayed" in long_gain
    bound = claims.load().claims[OTHERS].expect["value"]
    if here and not timed:
        return unresolved(
            "TensorFlow, which joins from preset M on, was not timed"
        )
    if timed and not long_gain["Numba, nogil, delayed"] > bound:
        return unresolved(
            "here Dask's launch may hide every gain: that of the function "
            f"without the GIL, too, is not for certain above {bound:g}"
        )
    return max(held, key=lambda q: q.value)


def let_go(long_gain):
    free = ("C extension", "Numba, nogil")
    return {k: q for k, q in long_gain.items() if k.startswith(free)}


def told(let_go):
    return ", ".join(f"{k} {q.about}" for k, q in let_go.items())


@judge("dask-nogil-functions-gain")
def nogil_functions_gain(let_go, lack, ideal):
    """On {cores} cores: {told}."""
    if lack or ideal < 3:
        return unmeasured(f"not measured here: {lack}" if lack else "")
    in_pool = [q for k, q in let_go.items() if k.endswith("pool")]
    return min(in_pool, key=lambda q: q.value) / ideal


def alike(after, third):
    return after.ratio("NumPy", "NumPy, threads", third)


@judge("dask-ranking")
def ranking(gain, over_numpy):
    """Where memory is handled alike, the first step is {alike.about}."""
    return Quantity.held([gain["NumPy, pool"] > 1, over_numpy > 1])


@judge("dask-numpy-gains-little")
def numpy_gains_little(alike, ideal):
    """As three tasks of Dask, whose launch and page faults are included,
    NumPy gains {gain[NumPy, delayed].about}, and a loop without the GIL
    {gain[Numba, nogil, delayed].about}.
    """
    return ((alike - 1) / (ideal - 1 or 1)).named("%")


def scale(causes, kinds, parts):
    return {
        k: {n: causes.ratio(k, f"{k}, threads", n) for n in parts}
        for k in kinds
    }


@figure(
    x="shots a thread",
    y="three threads, times as fast as series",
    logy=False,
)
def causes_figure(scale):
    """Long arrays gain a little, and only with a stream each; below 1, three
    threads are slower than series.
    """
    return scale


def back_to_back(book):
    """Return what two threads gain that call one after another."""
    times = book.timings_of("threading-and-nogil", "calls in threads")
    return nogil.reports(times, book.cores)["π, own streams"].speedups[2]


def at_most(scale, parts):
    """Return the gains with the most shots a thread."""
    return {k: gains[parts[-1]] for k, gains in scale.items()}


def slower_at_fewest(causes, parts):
    kind = "a stream each, in buffers"
    return causes.ratio(f"{kind}, threads", kind, parts[0])


@answer("dask-threads-gain-nothing")
def threads_gain_nothing(long_gain, behind_pool, at_most):
    """Use whole columns or arrays, or `scheduler="processes"` with long
    tasks: a Python function holds the GIL, so threads only add overhead. On
    {cores} cores, tasks of a compiled loop that holds the GIL gain nothing
    either, and with `nogil=True` they are
    {long_gain[Numba, nogil, delayed].about} faster than in series. If the GIL
    is released, the tasks may be too short for Dask's overhead, or share
    another lock, such as that of a random generator.
    """
    return (
        long_gain["jit, delayed"] < 1.2,
        long_gain["Numba, nogil, delayed"] > 1.2,
        behind_pool > 1,
        at_most["one stream"] < 1.2,
        at_most["a stream each"] > at_most["one stream"],
    )
