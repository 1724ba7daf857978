"""One number for all sizes: the median over the rounds of each."""

import dataclasses

from onthefly.measure.quantity import Quantity, joined, origin_of


def pooled(quantities, of=float):
    """Return the median of all rounds of some Quantities of one unit.

    of  what is taken of each value, as ``abs``
    """
    listed = list(quantities)
    values = [
        of(value)
        for q in listed
        for session in q.rounds.values
        for value in session
    ]
    return dataclasses.replace(
        Quantity.median(values, listed[0].unit),
        note=joined(q.note for q in listed),
        disturbed=max(q.disturbed for q in listed),
        origin=origin_of(listed),
        groups=frozenset().union(*(q.groups for q in listed)),
    )
