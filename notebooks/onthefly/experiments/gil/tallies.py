"""A loop that several threads may count in, and the bytecode of such."""

import dis

import numpy as np

from onthefly.tools.threads import together

BINS = 4


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
    common, every = np.zeros(BINS, np.int64), []

    def one():
        bins = common if shared else np.zeros(BINS, np.int64)
        fill(bins, which)
        every.append(bins)

    together(one, 2)()
    counted = [common] if shared else every
    return 2 * len(which) - int(sum(bins.sum() for bins in counted))


def adds_and_stores(function):
    """Return the instructions by which a counting loop adds and stores."""
    steps = list(dis.get_instructions(function))
    add = [i for i in steps if i.opname.startswith(("BINARY_", "INPLACE_"))]
    store = [i for i in steps if i.opname.startswith("STORE_")]
    return f"{add[-1].opname} {add[-1].argrepr}".strip(), store[-1].opname
