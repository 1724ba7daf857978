"""A loop that several threads may count in, and the bytecode of such."""

import dis
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def tally(bins, which):
    """Add one to a bin for each number of `which`; returns None."""
    for k in which:
        bins[k] += 1


def missed(fill, which, shared):
    """Count in two threads; return how many of their updates are missing.

    fill    `tally`, or what it was compiled to
    which   the bins to be counted, int64 from 0 to 3
    shared  one histogram for both threads; else each makes its own
    """
    own = [np.zeros(4, np.int64) for _ in range(2)]
    bins = [own[0], own[0]] if shared else own
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(fill, bins, [which] * 2))
    return 2 * len(which) - int(sum(one.sum() for one in own))


def adds_and_stores(function):
    """Return the instructions by which a counting loop adds and stores."""
    steps = list(dis.get_instructions(function))
    add = [i for i in steps if i.opname.startswith(("BINARY_", "INPLACE_"))]
    store = [i for i in steps if i.opname.startswith("STORE_")]
    return f"{add[-1].opname} {add[-1].argrepr}".strip(), store[-1].opname
