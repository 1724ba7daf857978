"""Many ways in one figure, and who is ahead where."""

import math

import matplotlib.style
from matplotlib.transforms import offset_copy

from onthefly.figures import charts, findings, ticks
from onthefly.measure.quantity import INTERVAL, origin_of


@matplotlib.style.context(charts.STYLE)
def contest(series, *, x, y, beside=()):
    """Draw many candidates' times against a size, and who is ahead where.

    series  {name: {size: Quantity of seconds}}
    x, y    axis labels with units
    beside  names that do not compete: dashed

    Those ahead of all others at some size have a colour, and a ring around
    each point where they are; the others are grey.  Each is named at its
    end.  Returns a Chart.
    """
    rivals = {k: points for k, points in series.items() if k not in beside}
    ahead = {
        size: findings.leader(some, "less")
        for size, some in findings.meetings(rivals).items()
    }
    winners = list(dict.fromkeys(filter(None, ahead.values())))
    figure, axes = charts.axes(height=4.4)
    for name, points in series.items():
        won = name in winners
        axes.errorbar(
            list(points),
            [q.value for q in points.values()],
            yerr=charts.errors(list(points.values())),
            color=f"C{winners.index(name)}" if won else charts.GREY,
            linewidth=2 if won else 1,
            linestyle="--" if name in beside else "-",
            marker="o",
            markersize=4 if won else 3,
            zorder=3 if won else 2,
        )
    for size, name in ahead.items():
        if name:
            best = series[name][size].value
            ring = {"markersize": 11, "fillstyle": "none", "zorder": 4}
            axes.plot(size, best, "o", color=charts.INK, **ring)
    axes.set(xlabel=x, ylabel=y, xscale="log", yscale="log")
    ticks.write(axes.xaxis, ticks.size)
    ticks.write(axes.yaxis, ticks.seconds)
    axes.minorticks_off()
    _name_ends(axes, series, winners)
    rows = [
        [name, f"{size:,}", q.short, q.interval]
        for name, points in series.items()
        for size, q in points.items()
    ]
    finding = findings.of_lines(rivals, x=x, y=y, better="less")
    origin = origin_of(charts.every(series))
    return charts.Chart(figure, ["", x, y, INTERVAL], rows, origin, finding)


def _name_ends(axes, series, winners):
    """Write the lines' names in a column at the right, a thread to each."""
    ends = {name: max(points) for name, points in series.items()}
    logs = {name: math.log(series[name][n].value) for name, n in ends.items()}
    low, high = map(math.log, axes.get_ylim())
    names = sorted(logs, key=logs.get)
    gap = (high - low) / 24  # of two lines of text
    places = _spread([logs[name] for name in names], gap)
    column = offset_copy(axes.transData, axes.figure, x=24, units="points")
    for place, name in zip(places, names, strict=True):
        won = name in winners
        axes.annotate(
            name,
            (ends[name], math.exp(logs[name])),
            xytext=(max(ends.values()), math.exp(place)),
            textcoords=column,
            va="center",
            fontsize=9,
            color=f"C{winners.index(name)}" if won else charts.INK,
            fontweight="bold" if won else "normal",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "relpos": (0, 0.5),  # from the text's beginning
                "linewidth": 0.6,
                "color": charts.GREY,
                "shrinkA": 0,
                "shrinkB": 4,
            },
        )


def _spread(places, gap):
    """Return rising places moved as little as leaves a gap between them."""
    groups = []  # [sum of where each would have its first, how many]
    for k, place in enumerate(places):
        groups.append([place - k * gap, 1])
        while len(groups) > 1 and (
            groups[-2][0] / groups[-2][1] > groups[-1][0] / groups[-1][1]
        ):
            total, count = groups.pop()
            groups[-1][0] += total
            groups[-1][1] += count
    starts = [total / n for total, n in groups for _ in range(n)]
    return [start + k * gap for k, start in enumerate(starts)]
