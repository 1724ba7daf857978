"""Who wins where: the grid behind the map and the figures."""

from choosing import words
from onthefly.experiments.choice.problems import KINDS

# Sizes and calls of the figures; the map has each second power of ten.
SIZES = tuple(k * 10**p for p in range(1, 7) for k in (1, 2, 5))
CALLS = tuple(k * 10**p for p in range(6) for k in (1, 2, 5))


# What a figure shows where no way is resolved to win, and how.
OPEN = "not resolved"
OTHERS = "one of several, not Python"
HATCHED = {OTHERS: "---", OPEN: "////"}


def winners(choices, sizes, calls, **options):
    """Return {(size, calls): Winner}; options as of `Choices.winner`.

    choices  prediction.Choices
    """
    return {
        (n, count): choices.winner(n, calls=count, **options)
        for n in sizes
        for count in calls
    }


def regions(choices):
    """Return {(size, calls): name of the winner, or one of HATCHED}.

    What lies beyond the measured sizes is not in.
    """
    found = winners(choices, SIZES, CALLS)
    return {
        place: unresolved(winner) if winner.rivals else called(winner.way)
        for place, winner in found.items()
        if not winner.beyond
    }


def unresolved(winner):
    """Return what is left open of a Winner that is not resolved."""
    return OPEN if "Python" in (winner.way, *winner.rivals) else OTHERS


def called(way):
    """Return what a way is called beside the ways of other problems."""
    return "library routine" if way == "routine" else words.spoken(way)


def ahead(every):
    """Return the names that win somewhere, in the book's order.

    every  {name of a problem: regions}
    """
    found = {name for cells in every.values() for name in cells.values()}
    return [called(way) for way in KINDS if called(way) in found]
