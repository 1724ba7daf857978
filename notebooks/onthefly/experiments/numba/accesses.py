"""What ``v[i] += 1`` is made of, in Python: reading, adding, writing.

Each step is a loop of its own that does nothing else; `nothing` is the loop.
"""

import functools


def nothing(v, x):
    """Count through the elements of `v`."""
    for _ in range(len(v)):
        pass


def read(v, x):
    """Read each element of `v`."""
    for i in range(len(v)):
        v[i]


def add(v, x):
    """Add 1 to what an element of `v` is read as, as often as it has any."""
    for _ in range(len(v)):
        x + 1


def write(v, x):
    """Write `x` into each element of `v`."""
    for i in range(len(v)):
        v[i] = x


def all_three(v, x):
    """Add 1 to each element of `v`, in its place."""
    for i in range(len(v)):
        v[i] += 1


STEPS = (nothing, read, add, write, all_three)


def candidates(holders):
    """Return {"<holder>: <step>": call} for `clock.measure`.

    holders  {name: list or array}; each step gets it, and its first element
    """
    return {
        f"{name}: {step.__name__}": functools.partial(step, v, v[0])
        for name, v in holders.items()
        for step in STEPS
    }


def parts(times, holder, length):
    """Return {step: seconds an element} of a holder, as Quantities.

    times   Timings of `candidates`
    length  elements of the holder

    "the loop" is `nothing`; the others are without it.
    """
    loop = times.seconds(f"{holder}: nothing")
    shares = {"the loop": loop / length}
    for step in (read, add, write):
        spent = times.seconds(f"{holder}: {step.__name__}") - loop
        shares[step.__name__] = spent / length
    return shares
