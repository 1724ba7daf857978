"""The page that tests the book's cost model on sizes it has not seen."""

import math
import statistics

from onthefly import claims, figures, models, results, timings
from onthefly.quantity import Quantity
from rendering import blocks

BAND = 0.15  # the error that the book allows the model, as a share
ALLOWED = figures.percent(BAND)
HELD = {
    True: "the model holds here",
    False: "the model does not hold here",
    None: "whether the model holds is not resolved here",
}
CASE = "case-the-jump"  # follows a step to its cause
LEAST = 5  # sizes of a series: three to fit, two to predict

TEXT = """\
(cost-model)=
# A cost for the call, a cost for each element

The build writes this page from the timings of this copy.

A call of a vectorised, compiled or looped function is said to take
$a + b\\,n$: a cost $a$ for the call and a cost $b$ for each of its $n$
elements. The book leans on that: it is why small arrays gain nothing, and why
two lines have a crossing. Does it predict?

## The test

Take every series of the book that was measured at five sizes or more. Fit
the line to every other size, from the smallest on. Predict the sizes between.
Compare with what was measured there.

{found}

{figure}

## Where it fails, and why

A point above the band was predicted slower than it is, a point below it
faster. Two things bend a line: memory that is given back and taken anew at
each call (a step), and a cache that is left behind (a kink). {step} follows
a step to its cause. And one makes $a$ itself uncertain: threads must be
woken, which takes a different time each time. Compare the two columns of a
series. Where only the medians are off, the machine was restless; where both
are, the model is wrong.

{table}
"""


def series(stamps):
    """Return (chapter title, label, points, best) of every long series.

    stamps  {chapter stem: stamp}, in the book's order
    points  as models.left_out returns them, on the medians
    best    the same on the fastest samples
    """
    titles = claims.load().chapters
    rows = []
    for stamp in stamps.values():
        found = results.find(stamp["chapter"], stamp["machine"])
        suite = found.get(stamp["machine"])
        for group, times in (suite.timings if suite else {}).items():
            for name in times.names:
                sizes = [n for n in times.sizes(name) if n]
                if len(sizes) < LEAST:
                    continue
                middle = [times.seconds(name, n).value for n in sizes]
                least = [min(times.series(name, n).values) for n in sizes]
                tests = [models.left_out(sizes, t) for t in (middle, least)]
                title = titles[stamp["chapter"]]
                rows.append((title, f"{group}: {name}", *tests))
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


def _figure(rows):
    points = {}
    for title, _, found, _ in rows:
        pairs = [(n, said / real) for n, said, real in found]
        points.setdefault(title, []).extend(pairs)
    chart = figures.ratios(
        points, x="size n", y="predicted / measured", band=BAND
    )
    every = [r for pairs in points.values() for _, r in pairs]
    near = sum(1 / (1 + BAND) <= r <= 1 + BAND for r in every)
    said = (
        f"{near} of {len(every)} sizes that the fit had not seen lie within "
        f"{ALLOWED} of the measurement."
    )
    return blocks.raw(
        figures.as_html(chart, "cost-model", alt=said, caption=said)
    )


def _table(rows):
    rows = sorted(rows, key=lambda row: -error(row[2]))
    head = [
        "Chapter",
        "Series",
        "Sizes left out",
        "Error, medians",
        "Error, fastest samples",
    ]
    cells = [
        [title, label, f"{points[0][0]:,.0f} to {points[-1][0]:,.0f}",
         f"{error(points):.1%}", f"{error(best):.1%}"]
        for title, label, points, best in rows
    ]  # fmt: skip
    return blocks.raw(timings.table(head, cells, "Error of the cost model"))


def page(stamps):
    """Return the page as Markdown.

    stamps  {chapter stem: stamp}, in the book's order
    """
    rows = series(stamps)
    slugs = {stamp["chapter"] for stamp in stamps.values()}
    step = f"{{ref}}`{CASE}`" if CASE in slugs else "The page on the jump"
    if not rows:
        none = "No series of this copy has sizes enough."
        return TEXT.format(found=none, step=step, figure="", table="")
    median, fastest = (
        overall(tests) for tests in list(zip(*rows, strict=True))[2:]
    )
    held = HELD[(median < BAND).holds]
    found = (
        f"Over {len(rows)} series the median error is **{median}**. The book "
        f"allows {ALLOWED}: {held}. On the fastest sample of "
        f"each size, which a busy neighbour touches least, it is {fastest}."
    )
    return TEXT.format(
        found=found, step=step, figure=_figure(rows), table=_table(rows)
    )
