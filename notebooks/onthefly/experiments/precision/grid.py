"""How often a root forgives a miss, counted over every point there is.

A generator of float32 draws multiples of 2^-24: a grid of points that is
finite, so that nothing has to be drawn.
"""

import math

import numpy as np

REACH = 4  # steps around the circle within which rounding can move a sum
ROWS = 2**20  # at a time


def beside(dtype=np.float32):
    """Return (forgiven, ties): how many points of the whole grid.

    dtype  float32 or float16; x and y are the multiples of half its eps
           from 0 on that lie below 1

    Forgiven are the points whose x·x + y·y is rounded to the next number
    above 1.  Ties are those whose sum lies half-way between that number and
    one of its neighbours, and so is rounded to the neighbour.
    """
    steps = round(2 / np.finfo(dtype).eps)
    forgiven = ties = 0
    for start in range(0, math.isqrt(steps**2 // 2) + REACH, ROWS):
        # The circle's flat part, x at least y; the steep part mirrors it.
        j = np.arange(start, min(start + ROWS, steps))
        i = np.rint(np.sqrt(_above(dtype) - (j / steps) ** 2) * steps)
        for step in range(-REACH, REACH + 1):
            x, y = (i + step) / steps, j / steps
            twice = np.where(y < x, 2, y == x) * (x < 1)
            sums = _squares(x.astype(dtype)), _squares(y.astype(dtype))
            forgiven += twice[sums[0] + sums[1] == _above(dtype)].sum()
            ties += twice[_tied(*sums)].sum()
    return int(forgiven), int(ties)


def _above(dtype):
    """Return the next number above 1."""
    return np.nextafter(dtype(1), dtype(2))


def _squares(numbers):
    return numbers * numbers


def _tied(a, b):
    """Tell where a + b lies half-way between two numbers above 1.

    Of these only the two beside the first number above 1.
    """
    half = np.finfo(a.dtype).eps / 2
    beyond = a.astype(float) + b.astype(float) - 1
    return (beyond == half) | (beyond == 3 * half)
