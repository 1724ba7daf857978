"""What *Why does a parallel Numba loop give another result each time?*
concludes.
"""

from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure

RACE = "cell[place[i & 7]] += 1"


def lossy_runs(losses):
    return {name: sum(map(bool, lost)) for name, lost in losses.items()}


@figure(x="runs that lose updates")
def losses_figure(lossy_runs, runs):
    return {k: Quantity.share(n, runs) for k, n in lossy_runs.items()}


def lossy(lossy_runs, runs):
    return (
        f"all {runs}"
        if lossy_runs[RACE] == runs
        else (f"{lossy_runs[RACE]} of {runs}")
    )


def worst(losses, steps):
    return f"{max(losses[RACE]) / steps:.0%}".replace("%", " %")


@expect
def on_several(lossy_runs, several):
    seen = lossy_runs[RACE] > 0 or None  # not seen, it is not refuted
    return seen, several["π with a seed"] > 1, several["sum"] > 1


@expect
def seed_stays(drawn):
    (own, repeated), (others, others_repeated) = (
        drawn["ours"],
        drawn["others"],
    )
    return (
        (own > 0 and others > 0) or None,
        repeated == own,
        others_repeated == 0,
        drawn["different"] == own + others,
    )


def spread(sums):
    return (max(sums) - min(sums)) / sums[0]


def apart(spread):
    return f"{spread:.0e}".replace("-", "−")


@answer("another-result")
def another_result(on_several, spread, alone):
    """Look for an array element that several threads update: in {lossy} runs
    here such updates were lost, and a variable for each thread repairs it. If
    there is none it is no bug: a seed reaches only the thread that sets it,
    and sums of floats by one to four threads are {apart} apart, relative to
    their size.
    """
    return on_several, spread < 1e-12, [n == 1 for n in alone.values()]
