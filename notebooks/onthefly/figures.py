"""The book's few figure kinds, in one style.

Each function returns a :class:`Chart`: a matplotlib figure and the numbers
in it, as a table for those who cannot or would rather not see it.
"""

import dataclasses
import html
import io
import itertools
import math
import pathlib
import re

import matplotlib
import matplotlib.style
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import (
    FixedLocator,
    FuncFormatter,
    LogLocator,
    NullFormatter,
)

from onthefly import files, findings, provenance
from onthefly.quantity import EXAMPLE, INTERVAL, Quantity, origin_of
from onthefly.refused import Refused
from onthefly.timings import table

# The palette, and all else of the look, stands in this file alone.
STYLE = pathlib.Path(__file__).with_name("onthefly.mplstyle")
provenance.note_file(STYLE)
_STYLE = matplotlib.rc_params_from_file(STYLE, use_default_template=False)
INK = _STYLE["text.color"]  # becomes the page's own
GREY = _STYLE["grid.color"]  # of what helps to read a figure
MARKERS = "osD^vPX"


@dataclasses.dataclass
class Chart:
    """A figure and its data: column titles and rows of text.

    `origin` is that of the Quantities drawn, see :class:`Quantity`;
    `finding` says what they show, "" where only a person can.
    """

    figure: Figure
    head: list[str]
    rows: list[list[str]]
    origin: str = ""
    finding: str = ""


def _all(series):
    """Return the Quantities of {name: {size: Quantity}}."""
    return [q for points in series.values() for q in points.values()]


def _origin(quantities):
    """Return whose numbers a chart draws.

    Raises Refused for an example of the format beside what was measured.
    """
    quantities = list(quantities)
    if len({q.made_up for q in quantities}) > 1:
        raise Refused(
            "figure: made-up numbers of an example beside measured ones; "
            "repair: draw quantity.known(...), or two figures"
        )
    return origin_of(quantities)


def _axes(width=6.4, height=3.6):
    """Return a new figure and its axes, without pyplot's global state."""
    figure = Figure(figsize=(width, height))
    return figure, figure.subplots()


def _errors(quantities):
    """Return matplotlib's yerr; infinite ends are left out."""
    ends = [(q.value - q.low, q.high - q.value) for q in quantities]
    safe = [[e if math.isfinite(e) else 0 for e in pair] for pair in ends]
    return [list(side) for side in zip(*safe, strict=True)]


def _size(value, _=None):
    """Write a tick of a size axis: 10⁴ for powers of ten."""
    power = math.log10(value) if value > 0 else 0.5
    if value >= 1000 and math.isclose(power, round(power)):
        digits = str(round(power)).translate(_SUPERSCRIPT)
        return f"10{digits}"
    return f"{value:g}"


def _plain(value, _=None):
    """Write a tick of an axis that is no logarithm's: 75,000."""
    return f"{value:,.10g}"


_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def _seconds(value, _=None):
    """Write a tick of a time axis: 10 µs, 1 ms."""
    for factor, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= factor * 0.999:
            return f"{value / factor:g} {unit}"
    return f"{value / 1e-9:g} ns"


def percent(value, _=None):
    """Write a share, as on an axis of shares: 20 %."""
    return f"{value:.0%}".replace("%", " %")


def _power(value, _=None):
    """Write a tick of a plain logarithmic axis: 10⁻³."""
    digits = str(round(math.log10(value))).translate(_SUPERSCRIPT)
    return f"10{digits}"


_TICKS = {"s": _seconds, "%": percent}  # by the unit of what is drawn


def _write_ticks(axis, write):
    """Let `write(value, _)` word the ticks of an axis, where there is one."""
    if write:
        axis.set_major_formatter(FuncFormatter(write))


def _short(axis):
    """Tell whether fewer than two powers of ten lie on a logarithmic axis."""
    low, high = map(math.log10, sorted(axis.get_view_interval()))
    return math.floor(high) - math.ceil(low) < 1


def _draw(axes, series, style=None):
    """Draw {name: {size: Quantity}} with intervals, a marker each.

    style  {name: more arguments of matplotlib's errorbar}
    """
    for (name, points), marker in zip(series.items(), MARKERS, strict=False):
        values = list(points.values())
        axes.errorbar(
            list(points),
            [q.value for q in values],
            yerr=_errors(values),
            label=name,
            marker=marker,
            capsize=2,
            **(style or {}).get(name, {}),
        )


def _label_bars(axes, names, x, unit):
    """Name the horizontal bars, the first at the top, and their axis."""
    _write_ticks(axes.xaxis, _TICKS.get(unit))
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.minorticks_off()
    axes.set_xlabel(x)


@matplotlib.style.context(STYLE)
def lines(
    series,
    *,
    x,
    y,
    logx=True,
    logy=True,
    time="",
    fits=None,
    marks=(),
    better=None,
):
    """Draw quantities against a size, one line a candidate.

    series  {name: {size: Quantity}}
    x, y    axis labels with units
    time    "x" or "y": the axis whose ticks are times
    fits    {name: models.Fit}, drawn dashed over the range they hold
    marks   [(x value, text)], vertical lines
    better  "less" or "more": which end of y is ahead, for the finding;
            None: neither, as where a ratio is no gain

    Returns a Chart.
    """
    figure, axes = _axes()
    _draw(axes, series, {n: {"linestyle": "none"} for n in fits or ()})
    for name, fit in (fits or {}).items():
        space = np.geomspace if logx else np.linspace
        steps = space(*fit.valid, 60)
        label = name if name in series else None
        colour = f"C{list(series).index(name)}" if label else INK
        axes.plot(
            steps,
            fit.predict(steps),
            color=colour,
            linewidth=1,
            linestyle="--",
            label=None if label else name,
        )
    for value, text in marks:
        axes.axvline(value, color=GREY, linewidth=1, linestyle=":")
        axes.annotate(
            text,
            (value, 0.98),
            xycoords=("data", "axes fraction"),
            xytext=(4, 0),
            textcoords="offset points",
            va="top",
            fontsize=9,
        )
    plain = {"x": _size if logx else _plain, "y": _power if logy else None}
    shares = all(q.unit == "%" for q in _all(series))
    for name, axis, log in (("x", axes.xaxis, logx), ("y", axes.yaxis, logy)):
        write = _seconds if time == name else plain[name]
        if log:
            getattr(axes, f"set_{name}scale")("log")
            if _short(axis):
                axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
                write = _size if write is _power else write
        _write_ticks(axis, percent if name == "y" and shares else write)
    axes.minorticks_off()
    axes.set(xlabel=x, ylabel=y)
    named = len(series) + len(fits or {})
    if named > 5:  # too many to stand among the lines
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    elif named > 1:
        axes.legend()
    rows = [
        [
            name,
            _seconds(float(f"{size:.3g}")) if time == "x" else f"{size:g}",
            q.short,
            q.interval,
        ]
        for name, points in series.items()
        for size, q in points.items()
    ]
    head = ["", x, y, INTERVAL]
    fitted = [q for fit in (fits or {}).values()
              for q in fit.parameters.values()]  # fmt: skip
    finding = findings.of_lines(
        series,
        x=x,
        y=y,
        better=better,
        write=(lambda v, _: _seconds(float(f"{v:.3g}")))
        if time == "x"
        else findings.amount,
    )
    origin = _origin([*_all(series), *fitted])
    return Chart(figure, head, rows, origin, finding)


@matplotlib.style.context(STYLE)
def course(series, *, places, x, y, marks=None, finding=""):
    """Draw quantities over named places in a row, as versions; from 0.

    series   {name: {place: Quantity}}; a place without one leaves a gap
    places   all of them, in order
    x, y     axis labels with units
    marks    {name: [(place, next place)]}: a dotted line where it steps
    finding  the finding in a sentence

    Returns a Chart.
    """
    figure, axes = _axes()
    spots = {place: k for k, place in enumerate(places)}
    for k, (name, points) in enumerate(series.items()):
        here = [points.get(place) for place in places]
        shown = [q or Quantity.exact(math.nan) for q in here]
        axes.errorbar(
            range(len(places)),
            [q.value for q in shown],
            yerr=_errors(shown),
            label=name,
            marker=MARKERS[k],
            capsize=2,
        )
        for ends in (marks or {}).get(name, ()):
            beside = 0.08 * (k - (len(series) - 1) / 2)  # not over another
            spot = sum(spots[place] for place in ends) / 2 + beside
            look = {"color": f"C{k}", "linestyle": ":", "linewidth": 1.5}
            axes.axvline(spot, **look)
    turned = {"rotation": 45, "ha": "right"} if len(places) > 6 else {}
    axes.set_xticks(range(len(places)), places, **turned)
    axes.set(xlabel=x, ylabel=y)
    axes.set_ylim(bottom=0)
    if len(series) > 1:
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    rows = [
        [name, place, q.short, q.interval]
        for name, points in series.items()
        for place, q in points.items()
    ]
    origin = _origin(_all(series))
    return Chart(figure, ["", x, y, INTERVAL], rows, origin, finding)


def time_against_size(timings, *, x, fits=None, marks=()):
    """Draw seconds a call against size, logarithmic: a Timings' own figure.

    Arguments as in `lines`.  Returns a Chart.
    """
    series = {
        name: {n: timings.seconds(name, n) for n in timings.sizes(name)}
        for name in timings.names
    }
    return lines(
        series,
        x=x,
        y="time a call",
        time="y",
        fits=fits,
        marks=marks,
        better="less",
    )


@matplotlib.style.context(STYLE)
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
        size: findings.leader(found, "less")
        for size, found in findings.meetings(rivals).items()
    }
    winners = list(dict.fromkeys(filter(None, ahead.values())))
    figure, axes = _axes(height=4.4)
    for name, points in series.items():
        won = name in winners
        axes.errorbar(
            list(points),
            [q.value for q in points.values()],
            yerr=_errors(list(points.values())),
            color=f"C{winners.index(name)}" if won else GREY,
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
            axes.plot(size, best, "o", color=INK, **ring)
    axes.set(xlabel=x, ylabel=y, xscale="log", yscale="log")
    _write_ticks(axes.xaxis, _size)
    _write_ticks(axes.yaxis, _seconds)
    axes.minorticks_off()
    _name_ends(axes, series, winners)
    rows = [
        [name, f"{size:,}", q.short, q.interval]
        for name, points in series.items()
        for size, q in points.items()
    ]
    finding = findings.of_lines(rivals, x=x, y=y, better="less")
    origin = _origin(_all(series))
    return Chart(figure, ["", x, y, INTERVAL], rows, origin, finding)


def _name_ends(axes, series, winners):
    """Write each line's name at its right end, none over another."""
    ends = {}  # {last size: [(log of the value, name)]}
    for name, points in series.items():
        size = max(points)
        ends.setdefault(size, []).append((math.log(points[size].value), name))
    low, high = map(math.log, axes.get_ylim())
    gap = (high - low) / 24  # of two lines of text
    for size, found in ends.items():
        found.sort()
        places = _apart([place for place, _ in found], gap)
        for place, (_, name) in zip(places, found, strict=True):
            won = name in winners
            axes.annotate(
                name,
                (size, math.exp(place)),
                xytext=(8, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
                color=f"C{winners.index(name)}" if won else INK,
                fontweight="bold" if won else "normal",
                annotation_clip=False,
            )


def _apart(places, gap):
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


@matplotlib.style.context(STYLE)
def ratios(points, *, x, y, band):
    """Draw ratios against a size, both logarithmic, and a band around 1.

    points  {name: [(size, ratio)]}
    x, y    axis labels with units
    band    how far from 1 the band reaches, as 0.15; or its two ends

    Returns a Chart.
    """
    figure, axes = _axes()
    ends = band if isinstance(band, tuple) else (1 / (1 + band), 1 + band)
    axes.axhspan(*ends, color=GREY, alpha=0.2)
    axes.axhline(1, color=INK, linewidth=1, linestyle="--")
    for k, (name, pairs) in enumerate(points.items()):
        marker = MARKERS[k % len(MARKERS)]
        fill = "none" if k // len(MARKERS) % 2 else "full"  # colours recur
        sizes, values = zip(*pairs, strict=True)
        axes.plot(
            sizes, values, marker, label=name, markersize=4, fillstyle=fill
        )
    axes.set(xlabel=x, ylabel=y, xscale="log", yscale="log")
    _write_ticks(axes.xaxis, _size)
    _write_ticks(axes.yaxis, lambda v, _: f"{v:g}")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 0.5), max(high, 2))
    axes.minorticks_off()
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    rows = [
        [name, f"{size:g}", f"{value:.2f}"]
        for name, pairs in points.items()
        for size, value in pairs
    ]
    return Chart(figure, ["", x, y], rows)


@matplotlib.style.context(STYLE)
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
    figure, axes = _axes(height=0.9 + 0.38 * len(names))
    spots = range(len(names))
    middles = [q.value for q in values]
    if log:
        axes.errorbar(
            middles, spots, xerr=_errors(values), fmt="o", capsize=3
        )
        axes.set_xscale("log")
    else:
        axes.barh(
            spots,
            middles,
            xerr=_errors(values),
            height=0.6,
            capsize=3,
            ecolor=INK,
        )
    if reference is not None:
        axes.axvline(reference, color=INK, linewidth=1, linestyle="--")
    _label_bars(axes, names, x, values[0].unit)
    rows = [[n, q.short, q.interval] for n, q in quantities.items()]
    finding = findings.of_bars(quantities, better=better)
    return Chart(figure, ["", x, INTERVAL], rows, _origin(values), finding)


@matplotlib.style.context(STYLE)
def stacked(parts, *, x):
    """Draw one horizontal bar a name, made of its parts.

    parts  {name: {part: Quantity}}, all of one unit, none below 0; the parts
           of a bar in the order in which they are laid end to end
    x      axis label with unit

    Returns a Chart.
    """
    figure, axes = _axes(height=1.3 + 0.38 * len(parts))
    kinds = list(dict.fromkeys(k for found in parts.values() for k in found))
    spots = range(len(parts))
    ends = [0.0] * len(parts)
    for kind in kinds:
        found = [p[kind].value if kind in p else 0.0 for p in parts.values()]
        axes.barh(spots, found, left=ends, height=0.6, label=kind)
        ends = [a + b for a, b in zip(ends, found, strict=True)]
    units = {q.unit for found in parts.values() for q in found.values()}
    _label_bars(axes, list(parts), x, *units)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    rows = [
        [name, part, q.short, q.interval]
        for name, found in parts.items()
        for part, q in found.items()
    ]
    return Chart(
        figure, ["", "part", x, INTERVAL], rows, _origin(_all(parts))
    )


@matplotlib.style.context(STYLE)
def spans(bars, *, x):
    """Draw what ran when: a timeline.

    bars  [(lane, part, start, end)], start and end Quantities of seconds;
          a lane is a line of the figure, a part a colour
    x     axis label

    Returns a Chart.
    """
    lanes = list(dict.fromkeys(lane for lane, *_ in bars))
    parts = list(dict.fromkeys(part for _, part, *_ in bars))
    figure, axes = _axes(height=1.1 + 0.34 * len(lanes))
    for k, part in enumerate(parts):
        own = [bar for bar in bars if bar[1] == part]
        axes.barh(
            [lanes.index(lane) for lane, *_ in own],
            [end.value - start.value for *_, start, end in own],
            left=[start.value for _, _, start, _ in own],
            height=0.7,
            color=f"C{k}",
            edgecolor=INK,
            linewidth=0.5,
            label=part,
        )
    _label_bars(axes, lanes, x, "s")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4)
    rows = [[*names, s.short, e.short] for *names, s, e in bars]
    head = ["", "part", "start", "end"]
    ends = [q for *_, s, e in bars for q in (s, e)]
    return Chart(figure, head, rows, _origin(ends))


@matplotlib.style.context(STYLE)
def speed_against_threads(speeds, cores):
    """Draw speed-up against threads, with the ideal min(N, M).

    speeds  {name: {threads: Quantity}}, each relative to one thread
    cores   M, the real cores, marked by a line

    Returns a Chart.  Source: Okuda, PyCon JP 2018, slide 16.
    """
    figure, axes = _axes()
    counts = sorted({n for points in speeds.values() for n in points})
    ideal = [min(n, cores) for n in counts]
    axes.plot(
        counts,
        ideal,
        color=INK,
        linewidth=1,
        linestyle="--",
        label=f"ideal min(N, {cores})",
    )
    _draw(axes, speeds)
    axes.axvline(cores, color=GREY, linewidth=1, linestyle=":")
    axes.set(xlabel="threads N", ylabel="speed-up over one thread")
    axes.set_xticks(counts)
    axes.set_ylim(bottom=0)
    axes.legend()
    rows = [
        [name, str(n), q.short, q.interval]
        for name, points in speeds.items()
        for n, q in points.items()
    ]
    head = ["", "threads", "speed-up over one thread", INTERVAL]
    finding = findings.of_lines(
        speeds, x="threads", y="speed-up over one thread"
    )
    return Chart(figure, head, rows, _origin(_all(speeds)), finding)


def _layers(nodes, edges):
    """Return the nodes in layers, each below all that it depends on.

    A node that depends on none stands just above the first that takes it.
    A layer is ordered by the places of its neighbours, so that few edges
    cross.  Raises ValueError for no nodes, an edge of an unknown node, or a
    cycle.
    """
    if not nodes:
        raise ValueError("graph: no nodes")
    needs = {node: [] for node in nodes}
    for start, end in edges:
        if start not in needs or end not in needs:
            raise ValueError(f"graph: edge {start!r} → {end!r}: no such node")
        needs[end].append(start)
    depth = {}
    while len(depth) < len(needs):
        ready = [
            n
            for n, before in needs.items()
            if n not in depth and all(b in depth for b in before)
        ]
        if not ready:
            raise ValueError("graph: the edges form a cycle")
        for n in ready:
            depth[n] = 1 + max((depth[b] for b in needs[n]), default=-1)
    for node in [n for n, before in needs.items() if not before]:
        takers = [depth[n] for n, before in needs.items() if node in before]
        depth[node] = min(takers, default=1) - 1
    layers = [[] for _ in range(max(depth.values()) + 1)]
    for node in needs:
        layers[depth[node]].append(node)
    for layer, above in zip(layers[1:], layers, strict=False):
        place = {node: k for k, node in enumerate(above)}
        layer.sort(
            key=lambda n: np.mean(
                [place[b] for b in needs[n] if b in place] or len(above)
            )
        )
    return layers, needs


def _columns(layer, kinds, names):
    """Return {node: x} of a layer: the nodes of a kind share its column."""
    spots = {}
    for column, name in enumerate(names):
        here = [node for node in layer if kinds[node] == name]
        for k, node in enumerate(here):
            spots[node] = (column + (k + 0.5) / len(here)) / len(names)
    return spots


@matplotlib.style.context(STYLE)
def graph(nodes, edges, kinds=None, columns=False):
    """Draw a directed graph without cycles, its inputs at the top.

    nodes    {key: label}
    edges    [(from, to)] of keys
    kinds    {key: name}: what sort of node, told by colour and legend
    columns  whether each kind has a column of its own; all nodes have a kind

    Returns a Chart, whose table lists each node and what it depends on.
    """
    layers, needs = _layers(nodes, edges)
    kinds = kinds or {}
    names = list(dict.fromkeys(kinds.values()))
    widest = max(map(len, layers))
    letters = max(sum(len(nodes[n]) + 3 for n in layer) for layer in layers)
    width = min(6.4, max(3.5, 0.085 * letters))  # 3.5 inches fit on a phone
    figure, axes = _axes(width, 0.5 + 0.75 * len(layers))
    boxes = {}
    for row, layer in enumerate(layers):
        spots = _columns(layer, kinds, names) if columns else None
        for k, node in enumerate(layer):
            known = node in kinds
            boxes[node] = axes.text(
                spots[node] if columns else (k + 0.5) / len(layer),
                -row,
                nodes[node],
                ha="center",
                va="center",
                fontsize=10 if widest <= 6 else 7,
                bbox={
                    "boxstyle": "round,pad=0.5",
                    "facecolor": "none",
                    "edgecolor": f"C{names.index(kinds[node])}"
                    if known
                    else INK,
                    "linewidth": 1.5,
                },
            )
    for start, end in edges:
        (x, y), (left, top) = (boxes[n].get_position() for n in (end, start))
        bend = 0
        if columns and x == left and top - y > 1:
            # Past the nodes between, on the outer side of the column.
            bend = 0.3 if x < 0.5 else -0.3
        axes.annotate(
            "",
            (x, y),
            (left, top),
            arrowprops={
                "connectionstyle": f"arc3,rad={bend}",
                "arrowstyle": "-|>",
                "color": GREY,
                "patchA": boxes[start].get_bbox_patch(),
                "patchB": boxes[end].get_bbox_patch(),
                "shrinkA": 1,
                "shrinkB": 1,
            },
        )
    for k, name in enumerate(names):
        axes.plot([], [], "s", color=f"C{k}", fillstyle="none", label=name)
    if names:
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4)
    axes.set(xlim=(0, 1), ylim=(0.5 - len(layers), 0.5))
    axes.set_axis_off()
    number = {n: k for k, n in enumerate((n for la in layers for n in la), 1)}
    rows = [
        [str(number[n]), nodes[n], kinds.get(n, ""),
         ", ".join(str(number[b]) for b in sorted(needs[n], key=number.get))]
        for n in number
    ]  # fmt: skip
    return Chart(figure, ["node", "label", "kind", "depends on"], rows)


@matplotlib.style.context(STYLE)
def regions(cells, *, x, y, names, hatched):
    """Draw who is ahead over two logarithmic axes, and where that is open.

    cells    {(x, y): one of `names` or of `hatched`}; a place that is not
             in stays empty
    x, y     axis labels
    names    all that have a colour, in order: in figures side by side a name
             has one colour
    hatched  {what is said where it is not resolved: matplotlib's hatch}

    Returns a Chart, whose table has a row for each y.
    """
    figure, axes = _axes(height=4.2)
    edges = [_edges(sorted({place[k] for place in cells})) for k in (0, 1)]
    for name in [*names, *hatched]:
        path = _tiles(cells, name, edges)
        if path is None:
            continue
        if name in hatched:
            look = {"edgecolor": GREY, "hatch": hatched[name]}
            look["facecolor"] = "none"
        else:
            colour = f"C{names.index(name)}"
            look = {"facecolor": colour, "alpha": 0.6}
        axes.add_patch(PathPatch(path, linewidth=0, label=name, **look))
    for axis, label, ends in zip("xy", (x, y), edges, strict=True):
        low, *_, high = sorted(end for pair in ends.values() for end in pair)
        axes.set(**{f"{axis}scale": "log", f"{axis}lim": (low, high)})
        axes.set(**{f"{axis}label": label})
        _write_ticks(getattr(axes, f"{axis}axis"), _size)
    axes.minorticks_off()
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
    ahead = {k: None if v in hatched else v for k, v in cells.items()}
    rows = [
        [f"{b:,}", findings.of_row(ahead, b, x)]
        for b in sorted({b for _, b in cells})
    ]
    finding = findings.of_regions(ahead, x=x, y=y)
    return Chart(figure, [y, "ahead"], rows, "", finding)


def _edges(places):
    """Return {place: (low, high)} of tiles on a logarithmic axis.

    They meet at the geometric mean of their places.
    """
    steps = [math.sqrt(b / a) for a, b in itertools.pairwise(places)]
    if not steps:
        steps = [math.sqrt(10)]
    return {
        place: (
            place / steps[max(k - 1, 0)],
            place * steps[min(k, len(steps) - 1)],
        )
        for k, place in enumerate(places)
    }


def _tiles(cells, name, edges):
    """Return one Path of all tiles of a name, None without any.

    Those side by side in a row are one tile; one path shows no seams.
    """
    tiles = []
    for y, (low, high) in edges[1].items():
        row = {x: cells[x, y] for x in edges[0] if (x, y) in cells}
        for found, run in itertools.groupby(row, row.get):
            if found == name:
                ends = [end for x in run for end in edges[0][x]]
                left, right = min(ends), max(ends)
                corners = [(left, low), (right, low), (right, high)]
                corners += [(left, high), (left, low)]
                tiles.append(Path(corners, closed=True))
    return Path.make_compound_path(*tiles) if tiles else None


def svg(chart, name):
    """Return the chart as an SVG text that fits into a page.

    Text stays text, ink takes the page's own colour, the size follows the
    column, and ids start with `name`, so that figures do not collide.
    """
    file = io.StringIO()
    with matplotlib.style.context(STYLE):
        chart.figure.savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = text.replace(INK, "currentColor")
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'href="#', f'href="#{name}-', text)
    text = text.replace("url(#", f"url(#{name}-")
    text = re.sub(r"font-family: [^;\"]+|'DejaVu Sans'[^;\"]*", _fonts, text)
    # A style sheet inside would apply to the whole page.
    text = re.sub(
        r"<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.S
    )
    width = float(re.search(r'width="([\d.]+)pt"', text)[1]) * 4 / 3
    text = re.sub(r' (width|height)="[\d.]+pt"', "", text, count=2)
    return text.replace(
        "<svg ",
        f'<svg width="{width:.0f}" style="--width: {width:.0f}px" '
        'stroke-linejoin="round" ',
        1,
    )


def whose(origin):
    """Return the line that says whose numbers follow.

    origin  of Quantities that this run did not measure
    """
    if origin == EXAMPLE:
        return f"{origin.capitalize()}: what it shows is made up."
    return f"Recorded, not measured in this run: {origin}."


def as_html(chart, name, *, alt="", caption="", file=None):
    """Return a Chart as the HTML of a figure, its data one click away.

    name     tells it from the other figures of its page
    alt      the finding in words and numbers, for those who cannot see
    caption  the finding in one sentence
    file     where to write the picture by itself, as SVG

    By default both are the chart's own finding.

    What another run measured is said to be so in caption and alt.  An
    example has no finding, no data and no numbers on its axes: the picture,
    caption and alt say what it is, and no more.  Raises ValueError without
    alt or caption.
    """
    alt, caption = alt or chart.finding, caption or chart.finding
    if not alt.strip() or not caption.strip():
        raise ValueError(f"figure {name!r}: needs alt and caption")
    frame = "otf-scroll"
    data = _folded(chart, name)
    if chart.origin == EXAMPLE:
        frame, data = f"{frame} otf-example", ""
        caption = alt = whose(EXAMPLE)
        _without_numbers(chart.figure)
    elif chart.origin:
        caption, alt = (f"{whose(chart.origin)} {t}" for t in (caption, alt))
    picture = svg(chart, name)
    if file:
        files.write(file, picture)
    label = f'role="img" aria-label="{html.escape(alt)}"'
    return (
        f'<figure class="otf-figure"><div class="{frame}" tabindex="0" '
        f'role="region" aria-label="Figure {html.escape(name)}">'
        f"{picture.replace('<svg ', f'<svg {label} ', 1)}</div>"
        f"<figcaption>{html.escape(caption)}</figcaption>{data}</figure>"
    )


def _without_numbers(figure):
    """Mark an example's picture, and take the numbers from its axes."""
    figure.suptitle(EXAMPLE.capitalize(), fontsize=10, color=INK)
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if not isinstance(axis.get_major_locator(), FixedLocator):
                axis.set_major_formatter(NullFormatter())  # but names


def _folded(chart, name):
    """Return the data of a chart as HTML, one click away."""
    data = table(chart.head, chart.rows, f"Data of the figure {name}")
    return (
        f'<details class="otf-data"><summary>Data</summary>{data}</details>'
    )


def _fonts(match):
    """Name the page's font family in place of matplotlib's."""
    named = match[0].startswith("font-family")
    return "font-family: sans-serif" if named else "sans-serif"
