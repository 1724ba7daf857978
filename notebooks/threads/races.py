"""What *Races under the GIL* concludes."""

from onthefly.experiments.gil import races
from onthefly.page import answer, expect, figure, judge

SHARED = ("global", "attribute", "item", "closure")


def swept(sweeps):
    return {name: races.Sweep(runs) for name, runs in sweeps.items()}


def onset(swept, intervals):
    """Return the shortest wrong run of each interval, in intervals."""
    shortest = {name: sweep.shortest() for name, sweep in swept.items()}
    return [
        shortest[k] / each for k, each in intervals.items() if shortest[k]
    ]


def onsets(onset):
    return ", ".join(f"{k:.2g}" for k in onset) or "(there were none)"


@judge("gil-finish-within-slice")
def clean(swept, intervals):
    return races.right(_ends(swept, intervals, high=1.75))


def _ends(swept, intervals, low=0, high=float("inf")):
    return [
        end
        for name, each in intervals.items()
        for end in swept[name].ends(low * each, high * each)
    ]


@expect
def begin_at_two(onset, intervals):
    return [
        len(onset) == len(intervals) or None,
        [k > 1.6 for k in onset],
        [k < 3.5 or None for k in onset],  # a race need not happen
    ]


@expect
def long_are_wrong(swept, intervals):
    torn = races.wrong(_ends(swept, intervals, low=5))
    short = races.wrong(_ends(swept, intervals, high=1.75))
    return torn > short, torn > 0.5


@figure(
    x="length of a run, in switch intervals",
    y="wrong runs",
    logx=False,
    logy=False,
    marks=[(2, "two intervals")],
)
def lengths_figure(swept, intervals):
    """Wrong runs by their length. A point stands for several runs, at their
    median length, so some of them lasted longer.
    """
    return {
        name: swept[name].shares(each) for name, each in intervals.items()
    }


def slowdown(times):
    return times.ratio("lock at each step", "no lock", 20_000)


def slowdown_once(times):
    return times.ratio("lock once", "no lock", 20_000)


@figure(x="times as long as without a lock", reference=1)
def cost_figure(slowdown, slowdown_once):
    return {"lock at each step": slowdown, "lock once": slowdown_once}


@figure(x="runs that lost updates")
def headline(plain, mended, mended_once):
    return {
        "no lock": plain,
        "lock at each step": mended,
        "lock once": mended_once,
    }


def where(ends_at):
    return {place: races.wrong(ends) for place, ends in ends_at.items()}


@expect
def shared_lose(where):
    return [where[place].value > 0 for place in SHARED]


@figure(x="runs that lost updates")
def places_figure(where):
    return where


def each_lock(times):
    locked = times.seconds("lock at each step", 20_000)
    return (locked - times.seconds("no lock", 20_000)) / 40_000


@answer("price-of-a-lock")
def price_of_a_lock(slowdown, slowdown_once, where, shared_lose):
    """Two threads that take it at each step of an addition pay
    {each_lock.about} a step, and are {slowdown.about} as slow as without;
    where each takes it once, for a sum of its own, {slowdown_once.about}. A
    local variable needs no lock, for no other thread can reach it.
    """
    local = where["local"].value == 0
    return slowdown > 1.1, slowdown > slowdown_once, local, shared_lose


def bare_losses(bare):
    """Return {Python: wrong runs at the shared place that loses least}."""
    return {
        python: min(
            (races.wrong(ends[place]) for place in SHARED),
            key=lambda q: q.value,
        )
        for python, ends in bare.items()
    }


def old(pythons):
    return pythons[0]


def here(pythons):
    return pythons[1]


@judge("race-global-and-local")
def global_and_local(bare_losses, old, here):
    of_2018 = old.startswith(("3.6.", "3.7."))
    then = bare_losses[old] if of_2018 else None
    return then, bare_losses[here]


def turns(pair):
    return pair.ratio("Python, in turn", "Python, threads", 100_000)


def kept_busy(clocks):
    return (clocks.seconds("processor") / clocks.seconds("clock")).named(
        "processors"
    )


@judge("gil-avoid-for-speed")
def gain(pair):
    """In code that touches Python's objects it is {turns.about}."""
    return pair.ratio("Numba, in turn", "Numba, threads", 100_000)


@judge("gil-one-thread-at-a-time")
def one_thread_at_a_time(kept_busy):
    return kept_busy.named("×")
