"""What *Another result each time* concludes."""

from onthefly.measure.quantity import Quantity
from onthefly.page import answer, expect, figure


def lossy_runs(losses):
    return {name: sum(map(bool, lost)) for name, lost in losses.items()}


@figure(x="runs that lose updates")
def losses_figure(lossy_runs, runs):
    return {k: Quantity.share(n, runs) for k, n in lossy_runs.items()}


def seen(lossy_runs):
    """Tell whether the race was seen; not seen, it is not refuted."""
    return lossy_runs["cell[place[i & 7]] += 1"] > 0 or None


def lossy(lossy_runs, runs):
    lost = lossy_runs["cell[place[i & 7]] += 1"]
    return f"all {runs}" if lost == runs else f"{lost} of {runs}"


@expect
def on_several(seen, several):
    return seen, several["π with a seed"] > 1, several["sum"] > 1


@expect
def in_a_register(lines):
    words = ("load", "add", "store")
    kept = zip(words, lines, strict=False)
    return [word in line for word, line in kept] or None


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
    """It is where threads update one element of an array: in {lossy} runs
    here updates were lost. It is none where a seed reaches only the thread
    that sets it, nor where threads add floats in another order: sums by one
    to four threads were {apart} apart. Let threads add to a variable,
    and compare floats with a tolerance.
    """
    return on_several, spread < 1e-12, [n == 1 for n in alone.values()]
