"""Runs that tests put into stores: small results with a known ratio."""

import datetime
import random

from onthefly import results
from onthefly.quantity import Quantity
from onthefly.timings import Series, Timings

START = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
PAGE, CLAIM = "one-decorator", "numba-jit-against-numpy"


def run(
    folder, *, ratio=2.0, day=0, machine="box", id="", preset="S",
    claim=False, page=PAGE, packages=None, finished=True,
):  # fmt: skip
    """Save the results of a made-up run in `folder`; return the file.

    ratio  of the times of its two ways; None: it has one way
    day    after START
    claim  whether a claim is judged by the ratio's square, too
    """
    spread = [1.0, 1.001, 1.002, 0.999, 0.998, 1.0, 1.0005]
    calls = [("fast", 100, 1)]
    if ratio:
        calls = [("slow", 10, ratio), ("slow", 100, ratio), *calls]
    times = Timings(
        [
            Series(name, n, 0.1, tuple(cost * n * 1e-6 * s for s in spread))
            for name, n, cost in calls
        ],
        4,
    )
    found = results.Results(
        page, preset, timings={"ways": times}, finished=finished,
        lab={"clock.py": "0" * 64},
    )  # fmt: skip
    if claim:
        square = ratio**2
        judged = Quantity(square, square * 0.99, square * 1.01, "×")
        found.quantities[CLAIM] = judged
    when = START + datetime.timedelta(days=day)
    found.machine |= {
        "slug": machine,
        "time": when.isoformat("T", "seconds"),
        "id": id,
        "packages": packages or {"numpy": "2.4.6"},
    }
    return results.save(found, folder / f"{day} {machine} {id} {preset}")


def noisy(level, seed=0, noise=0.01):
    """Return a function that gives ratios near a level, each another."""
    rng = random.Random(seed)
    return lambda: level * (1 + rng.uniform(-noise, noise))
