"""Many short calls, handed to processes one by one and in batches.

Functions that a worker process can import.
"""

import math


def short(k):
    """Return a number that takes some microseconds to compute."""
    total = 0.0
    for j in range(100):
        total += math.sqrt(k + j)
    return total


def add_one(numbers):
    """Return a list with one added to each number."""
    return [number + 1 for number in numbers]


def row_sum(table, row):
    """Return the sum of one row of a two-dimensional array."""
    return float(table[row].sum())
