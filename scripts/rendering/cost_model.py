"""The page that tests the book's cost model on sizes it has not seen."""

import math
import statistics

from onthefly import figures
from onthefly.measure import models
from onthefly.measure.quantity import Quantity
from onthefly.page import claims

BAND = 0.15  # the error that the book allows the model, as a share
CASE = "case-the-jump"  # follows a step to its cause
LEAST = 5  # sizes of a series: three to fit, two to predict
WORST = 10  # series in the table that is not folded


def page(copy):
    """Return the page as Markdown.

    copy  a rendering.copy.Copy
    """
    rows = series(copy)
    found = {}
    if rows:
        _, _, points, fastest = zip(*rows, strict=True)
        median = overall(points)
        near, every = within(points)
        found = {
            "median": median,
            "fastest": overall(fastest),
            "holds": (median < BAND).holds,
            "near": f"{near} of {every}",
            "figure": _figure(points),
        }
    return copy.render(
        "book/cost_model",
        cells=_cells(rows),
        worst=WORST,
        least=LEAST,
        allowed=figures.percent(BAND),
        jump=CASE if CASE in copy.names else "",
        **found,
    )


def series(copy):
    """Return (page's title, label, points, best) of every long series.

    points  as models.left_out returns them, on the medians
    best    the same on the fastest samples
    """
    titles = claims.load().chapters
    rows = []
    for slug in copy.runs:
        measured = copy.measured(slug)
        for group, times in measured.timings.items() if measured else ():
            for name in times.names:
                sizes = [n for n in times.sizes(name) if n]
                if len(sizes) < LEAST:
                    continue
                middle = [times.seconds(name, n).value for n in sizes]
                least = [min(times.series(name, n).values) for n in sizes]
                tests = [models.left_out(sizes, t) for t in (middle, least)]
                rows.append((titles[slug], f"{group}: {name}", *tests))
    return rows


def error(points):
    """Return the median of the relative errors at the sizes left out."""
    return statistics.median(abs(said / real - 1) for _, said, real in points)


def overall(tests):
    """Return the median error of all series, with its interval.

    tests  the points of each series
    """
    errors = [error(points) for points in tests]
    return Quantity.median(errors, "%").within(0, math.inf)


def _cells(rows):
    """Return the rows of the table, the largest error first."""
    return [
        [title, label, f"{points[0][0]:,.0f} to {points[-1][0]:,.0f}",
         f"{error(points):.1%}", f"{error(best):.1%}"]
        for title, label, points, best in sorted(
            rows, key=lambda row: -error(row[2])
        )
    ]  # fmt: skip


def within(tests):
    """Return how many sizes left out lie within BAND, and how many there are.

    tests  the points of each series
    """
    ratios = [said / real for points in tests for _, said, real in points]
    return sum(1 / (1 + BAND) <= r <= 1 + BAND for r in ratios), len(ratios)


def _figure(tests):
    points = [(n, said / real) for pairs in tests for n, said, real in pairs]
    chart = figures.ratios(
        {"": points}, x="size n", y="predicted / measured", band=BAND
    )
    near, every = within(tests)
    finding = (
        f"{near} of {every} predictions lie within "
        f"{figures.percent(BAND)} of the measurement."
    )
    return figures.as_html(chart, "cost-model", alt=finding, caption=finding)
