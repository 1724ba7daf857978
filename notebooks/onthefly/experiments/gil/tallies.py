"""A loop that several threads may count in, and the bytecode of such."""

import dis


def tally(bins, which):
    """Add one to a bin for each number of `which`; returns None."""
    for k in which:
        bins[k] += 1


def adds_and_stores(function):
    """Return the instructions by which a counting loop adds and stores."""
    steps = list(dis.get_instructions(function))
    add = [i for i in steps if i.opname.startswith(("BINARY_", "INPLACE_"))]
    store = [i for i in steps if i.opname.startswith("STORE_")]
    return f"{add[-1].opname} {add[-1].argrepr}".strip(), store[-1].opname
