"""What *Why is `rand_r` a poor random generator?* concludes."""

import math

from onthefly.experiments.generators import cycle
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table

END = cycle.CYCLE
PUBLISHED = 0.0051  # from 0.0001 to -0.005: slide 17


def share(distances):
    return Quantity.share((distances > PUBLISHED).sum(), len(distances))


@judge("cext-rand-r-low-randomness")
def gap(errors):
    return cycle.difference(errors["rand_r"], errors["random_r"])


@table
def ends(cycles):
    """π after 2²⁶ shots."""
    return [
        {
            "seed": s,
            "kind": "odd" if s % 2 else "even",
            "hits": f"{blocks.sum():,}",
            "π": f"{4 * blocks.sum() / 2**26:.9f}",
        }
        for s, blocks in cycles.items()
    ]


@expect
def came_true(same_numbers, agree, cycles):
    even, odd = (
        {int(blocks.sum()) for s, blocks in cycles.items() if s % 2 == kind}
        for kind in (0, 1)
    )
    return (
        same_numbers,
        agree("rand_r") == 1,
        0.45 < agree("random_r") < 0.55,
        len(even) == len(odd) == 1,
        even != odd,
    )


def measured(every_seed):
    """Return {shots: error, that of chance being 1} of a cycle."""
    chance = {n: math.sqrt(math.pi * (4 - math.pi) / n) for n in every_seed}
    return {
        n: q / Quantity.exact(chance[n])
        for n, q in every_seed.items()
        if n <= END
    }


def pack(measured):
    return {n: Quantity.exact(math.sqrt(1 - n / END), "×") for n in measured}


def off(measured, pack):
    return [measured[n].value / pack[n].value for n in pack if n < END]


def best(measured):
    return measured[END].named("%")


@figure(x="shots", y="error, relative to pure chance", logy=False)
def every_seed_figure(measured, pack):
    """Near the end of the cycle the error falls as in a draw without
    repetition.
    """
    return {"rand_r, every seed": measured, "without repetition": pack}


@expect
def stands_still(every_seed):
    once, twice, four = (every_seed[k * END].value for k in (1, 2, 4))
    return [abs(later / once - 1) < 1e-6 for later in (twice, four)]
