"""Sums of values by key: pairs in two lists.

Each version takes the lists, and returns {key: sum} of whole numbers, so that
all return the same.
"""

import random

KEYS = 1000


def data(pairs, seed=2018):
    """Return (keys, values): two lists of whole numbers, keys below KEYS."""
    draw = random.Random(seed)
    keys = [draw.randrange(KEYS) for _ in range(pairs)]
    return keys, [draw.randrange(100) for _ in range(pairs)]
