"""How many steps lead from a whole number to 1, if an even one is halved and
an odd one becomes three times itself and one.

Nobody knows beforehand how many: 26 takes 10 steps, and 27 takes 111.  Source:
Lagarias, The 3x + 1 problem and its generalizations, Amer. Math. Monthly 92,
1985.
"""


def data(n, seed=0):
    """Return the arguments of each way: the whole numbers from 1 to n.

    seed  ignored: nothing is random

    On their ways they stay below 2^63, for n up to 10^9 at least.
    """
    import numpy as np

    return (np.arange(1, n + 1, dtype=np.int64),)
