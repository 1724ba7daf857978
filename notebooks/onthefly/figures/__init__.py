"""The book's few figure kinds, in one style.

Each function returns a :class:`Chart`: a matplotlib figure and the numbers
in it, as a table for those who cannot or would rather not see it.
"""

from onthefly.figures.bar_charts import bars, spans, stacked
from onthefly.figures.charts import INK, Chart
from onthefly.figures.contests import contest
from onthefly.figures.curves import (
    course,
    lines,
    ratios,
    speed_against_threads,
)
from onthefly.figures.graphs import graph
from onthefly.figures.markup import as_html, svg, whose
from onthefly.figures.ticks import percent

__all__ = [
    "INK",
    "Chart",
    "as_html",
    "bars",
    "contest",
    "course",
    "graph",
    "lines",
    "percent",
    "ratios",
    "spans",
    "speed_against_threads",
    "stacked",
    "svg",
    "whose",
]
