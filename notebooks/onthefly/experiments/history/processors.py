"""Clocks and cores of processors since 1971.

Microprocessor Trend Data of Karl Rupp, CC BY 4.0; see book/history/README.md.
"""

import collections
import statistics

from onthefly import files
from onthefly.measure.quantity import Quantity
from onthefly.page import checkout

FOLDER = checkout.ROOT / "book" / "history"
SPAN = 5  # years that one point stands for


def read(name):
    """Return [(year, value)] of "frequency" (MHz) or "cores"."""
    path = FOLDER / f"{name}.dat"
    lines = (line.partition("#")[0] for line in files.text(path).splitlines())
    return [tuple(map(float, line.split()[:2])) for line in lines if line]


def medians(name):
    """Return {middle of five years: median of the processors of then}.

    The medians are exact Quantities: they are what the data say.
    """
    by_span = collections.defaultdict(list)
    for year, value in read(name):
        by_span[int(year // SPAN) * SPAN + SPAN / 2].append(value)
    return {
        year: Quantity.exact(statistics.median(values))
        for year, values in sorted(by_span.items())
    }
