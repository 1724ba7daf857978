"""Horizontal bars: side by side, stacked, or along the time."""

import matplotlib.style

from onthefly.figures import charts, findings, ticks
from onthefly.measure.quantity import INTERVAL, origin_of


@matplotlib.style.context(charts.STYLE)
def bars(quantities, *, x, reference=None, log=False, better=None):
    """Draw one horizontal bar a name, with its interval.

    quantities  {name: Quantity}, all of one unit, top to bottom
    x           axis label with unit
    reference   value of a line to compare with (1 for ratios)
    log         logarithmic axis, with points in place of bars: a bar's
                length means nothing there
    better      as in `lines`

    Returns a Chart.
    """
    names, values = list(quantities), list(quantities.values())
    figure, axes = charts.axes(height=0.9 + 0.38 * len(names))
    spots = range(len(names))
    middles = [q.value for q in values]
    if log:
        axes.errorbar(
            middles, spots, xerr=charts.errors(values), fmt="o", capsize=3
        )
        charts.scale(axes, "x", log, ticks.size)
    else:
        axes.barh(
            spots,
            middles,
            xerr=charts.errors(values),
            height=0.6,
            capsize=3,
            ecolor=charts.INK,
        )
    if reference is not None:
        axes.axvline(reference, color=charts.INK, linewidth=1, linestyle="--")
    charts.label_bars(axes, names, x, values[0].unit)
    rows = [[n, q.short, q.interval] for n, q in quantities.items()]
    finding = findings.of_bars(quantities, x=x, better=better)
    return charts.Chart(
        figure, ["", x, INTERVAL], rows, origin_of(values), finding
    )


@matplotlib.style.context(charts.STYLE)
def stacked(parts, *, x):
    """Draw one horizontal bar a name, made of its parts.

    parts  {name: {part: Quantity}}, all of one unit, none below 0; the parts
           of a bar in the order in which they are laid end to end
    x      axis label with unit

    Returns a Chart.
    """
    figure, axes = charts.axes(height=1.3 + 0.38 * len(parts))
    kinds = list(dict.fromkeys(k for of in parts.values() for k in of))
    spots = range(len(parts))
    ends = [0.0] * len(parts)
    for kind in kinds:
        lengths = [
            p[kind].value if kind in p else 0.0 for p in parts.values()
        ]
        axes.barh(spots, lengths, left=ends, height=0.6, label=kind)
        ends = [a + b for a, b in zip(ends, lengths, strict=True)]
    units = {q.unit for of in parts.values() for q in of.values()}
    charts.label_bars(axes, list(parts), x, *units)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    rows = [
        [name, part, q.short, q.interval]
        for name, of in parts.items()
        for part, q in of.items()
    ]
    return charts.Chart(
        figure,
        ["", "part", x, INTERVAL],
        rows,
        origin_of(charts.every(parts)),
    )


@matplotlib.style.context(charts.STYLE)
def spans(bars, *, x):
    """Draw what ran when: a timeline.

    bars  [(lane, part, start, end)], start and end Quantities of seconds;
          a lane is a line of the figure, a part a colour
    x     axis label

    Returns a Chart.
    """
    lanes = list(dict.fromkeys(lane for lane, *_ in bars))
    parts = list(dict.fromkeys(part for _, part, *_ in bars))
    figure, axes = charts.axes(height=1.1 + 0.34 * len(lanes))
    for k, part in enumerate(parts):
        own = [bar for bar in bars if bar[1] == part]
        axes.barh(
            [lanes.index(lane) for lane, *_ in own],
            [end.value - start.value for *_, start, end in own],
            left=[start.value for _, _, start, _ in own],
            height=0.7,
            color=f"C{k}",
            edgecolor=charts.INK,
            linewidth=0.5,
            label=part,
        )
    charts.label_bars(axes, lanes, x, "s")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4)
    rows = [[*names, s.short, e.short] for *names, s, e in bars]
    head = ["", "part", "start", "end"]
    ends = [q for *_, s, e in bars for q in (s, e)]
    return charts.Chart(figure, head, rows, origin_of(ends))
