"""How many steps lead from a whole number to 1, if an even one is halved and
an odd one becomes three times itself and one.

Nobody knows beforehand how many: 26 takes 10 steps, and 27 takes 111.
Source: Lagarias, The 3x + 1 problem and its generalizations, Amer. Math.
Monthly 92, 1985.
"""

MOST = 10**6  # the largest number to start from


def data(n, seed=0):
    """Return the arguments of each way: n whole numbers up to a million.

    They are drawn at random, so that an element costs the same on average,
    however many there are.  On their ways they stay far below 2^63.
    """
    import numpy as np

    draw = np.random.default_rng(seed)
    return (draw.integers(1, MOST, n, endpoint=True),)
