"""Who wins where: the grid behind the figures."""

from onthefly import figures
from onthefly.kernels.methods import KINDS
from onthefly.predict import sentences
from onthefly.terminal.words import counted

SIZES = tuple(k * 10**p for p in range(1, 7) for k in (1, 2, 5))
CALLS = tuple(k * 10**p for p in range(6) for k in (1, 2, 5))

# What a figure shows where nothing is resolved to win, and how.
OPEN = "not resolved"
OTHERS = "one of several, not Python"
HATCHED = {OTHERS: "---", OPEN: "////"}


def regions(choices):
    """Return {(size, calls): name of the winner, or one of HATCHED}.

    choices  prediction.Choices

    No device is in, nor what lies beyond the measured sizes.
    """
    cells = {}
    for n in SIZES:
        for calls in CALLS:
            best = choices.winner(n, calls=calls, device=False)
            if not best.beyond:
                cells[n, calls] = winner(best)
    return cells


def winner(best):
    """Return what a prediction.Winner is called, or one of HATCHED."""
    if best.rivals:
        return OPEN if "Python" in best.among else OTHERS
    return called(best.variant)


def called(variant):
    """Return what a variant is called beside those of other problems."""
    if variant == "routine":
        return "library routine"
    return sentences.spoken(variant)


def ahead(every):
    """Return the names that win somewhere, in the book's order.

    every  {name of a problem: regions}
    """
    names = {name for cells in every.values() for name in cells.values()}
    return [called(kind) for kind in KINDS if called(kind) in names]


def figure(choices, cells, names):
    """Return the figure of who wins where, as HTML.

    cells  what `regions` returns, not empty
    names  what `ahead` returns: the same colours in all figures
    """
    problem = choices.problem
    chart = figures.regions(
        cells, x=problem.unit, y="calls", names=names, hatched=HATCHED
    )
    cores = counted(choices.workers, "cores")
    caption = f"Fastest, {problem.name}, {cores}: {chart.finding}"
    return figures.as_html(
        chart, f"regions-{problem.name}", alt=caption, caption=caption
    )
