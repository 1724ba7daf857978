"""Who wins where: the grid behind the map and the figures."""

from onthefly.experiments.choice.problems import KINDS

# Sizes and calls of the figures; the map has each second power of ten.
SIZES = tuple(k * 10**p for p in range(1, 7) for k in (1, 2, 5))
CALLS = tuple(k * 10**p for p in range(6) for k in (1, 2, 5))


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
    """Return {(size, calls): name, or None: not resolved}.

    What lies beyond the measured sizes is not in.
    """
    found = winners(choices, SIZES, CALLS)
    return {
        place: None if winner.rivals else winner.way
        for place, winner in found.items()
        if not winner.beyond
    }


def ahead(every):
    """Return the ways that win somewhere, in the book's order.

    every  {name of a problem: regions}
    """
    found = {way for cells in every.values() for way in cells.values()}
    return [way for way in KINDS if way in found]
