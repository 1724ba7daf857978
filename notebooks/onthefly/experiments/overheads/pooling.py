"""One number for all sizes: the median over the rounds of each."""

import dataclasses

from onthefly.quantity import Quantity, joined, origin_of


def pooled(quantities, of=float):
    """Return the median of all rounds of some Quantities of one unit.

    of  what is taken of each value, as ``abs``
    """
    found = list(quantities)
    values = [of(value) for q in found for value in q.rounds.values]
    return dataclasses.replace(
        Quantity.median(values, found[0].unit),
        note=joined(q.note for q in found),
        contended=any(q.contended for q in found),
        origin=origin_of(found),
    )
