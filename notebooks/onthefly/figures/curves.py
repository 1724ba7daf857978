"""Lines and points against a size, threads or versions."""

import math

import matplotlib.style
import numpy as np
from matplotlib.ticker import LogLocator

from onthefly.figures import charts, findings, ticks
from onthefly.measure.quantity import INTERVAL, Quantity, origin_of


@matplotlib.style.context(charts.STYLE)
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
    against="",
):
    """Draw quantities against a size, one line a candidate.

    series  {name: {size: Quantity}}
    x, y    axis labels with units
    time    "x" or "y": the axis whose ticks are times
    fits    {name: models.Fit}, drawn dashed over the range they hold
    marks   [(x value, text)], vertical lines
    better  "less" or "more": which end of y is ahead, for the finding;
            None: neither, as where a ratio is no gain
    against  what ratios are over: for the finding it is there, too, at 1

    Returns a Chart.
    """
    figure, axes = charts.axes()
    fits = fits or {}
    charts.draw(axes, series, {name: {"linestyle": "none"} for name in fits})
    _draw_fits(
        axes, fits, list(series), np.geomspace if logx else np.linspace
    )
    for value, text in marks:
        _mark(axes, value, text)
    shares = all(q.unit == "%" for q in charts.every(series))
    write = {
        "x": ticks.size if logx else ticks.plain,
        "y": ticks.power if logy else None,
        **({"y": ticks.percent} if shares else {}),
        **({time: ticks.seconds} if time else {}),
    }
    charts.scale(axes, "x", logx, write["x"])
    charts.scale(axes, "y", logy, write["y"])
    axes.minorticks_off()
    axes.set(xlabel=x, ylabel=y)
    if len(series) + len(fits) > 5:  # too many to stand among the lines
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    elif len(series) + len(fits) > 1:
        axes.legend()
    say = _rounded_seconds if time == "x" else "{:g}".format
    rows = [
        [name, say(size), q.short, q.interval]
        for name, points in series.items()
        for size, q in points.items()
    ]
    options = {"write": _rounded_seconds} if time == "x" else {}
    rivals = dict(series)
    if against:
        sizes = {size for points in series.values() for size in points}
        rivals[against] = dict.fromkeys(sizes, Quantity.exact(1, "×"))
    finding = findings.of_lines(rivals, x=x, y=y, better=better, **options)
    fitted = [q for fit in fits.values() for q in fit.parameters.values()]
    origin = origin_of([*charts.every(series), *fitted])
    return charts.Chart(figure, ["", x, y, INTERVAL], rows, origin, finding)


def _draw_fits(axes, fits, names, space):
    """Draw {name: models.Fit} dashed; one of `names` in its line's colour."""
    for name, fit in fits.items():
        steps = space(*fit.valid, 60)
        own = name in names
        axes.plot(
            steps,
            fit.predict(steps),
            color=f"C{names.index(name)}" if own else charts.INK,
            linewidth=1,
            linestyle="--",
            label=None if own else name,
        )


def _mark(axes, value, text):
    """Draw a vertical line at a value of x, and name it at its top."""
    axes.axvline(value, color=charts.GREY, linewidth=1, linestyle=":")
    axes.annotate(
        text,
        (value, 0.98),
        xycoords=("data", "axes fraction"),
        xytext=(4, 0),
        textcoords="offset points",
        va="top",
        fontsize=9,
    )


def _rounded_seconds(value, _=None):
    return ticks.seconds(float(f"{value:.3g}"))


@matplotlib.style.context(charts.STYLE)
def course(series, *, places, x, y, marks=None, finding=""):
    """Draw quantities over named places in a row, as versions; from 0.

    series   {name: {place: Quantity}}; a place without one leaves a gap
    places   all of them, in order
    x, y     axis labels with units
    marks    {name: [(place, next place)]}: a dotted line where it steps
    finding  the finding in a sentence

    Returns a Chart.
    """
    figure, axes = charts.axes()
    spots = {place: k for k, place in enumerate(places)}
    for k, (name, points) in enumerate(series.items()):
        here = [points.get(place) for place in places]
        shown = [q or Quantity.exact(math.nan) for q in here]
        axes.errorbar(
            range(len(places)),
            [q.value for q in shown],
            yerr=charts.errors(shown),
            label=name,
            marker=charts.MARKERS[k],
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
    origin = origin_of(charts.every(series))
    return charts.Chart(figure, ["", x, y, INTERVAL], rows, origin, finding)


@matplotlib.style.context(charts.STYLE)
def ratios(points, *, x, y, band):
    """Draw ratios against a size, both logarithmic, and a band around 1.

    points  {name: [(size, ratio)]}
    x, y    axis labels with units
    band    how far from 1 the band reaches, as 0.15; or its two ends

    Returns a Chart.
    """
    figure, axes = charts.axes()
    ends = band if isinstance(band, tuple) else (1 / (1 + band), 1 + band)
    axes.axhspan(*ends, color=charts.GREY, alpha=0.2)
    axes.axhline(1, color=charts.INK, linewidth=1, linestyle="--")
    for k, (name, pairs) in enumerate(points.items()):
        marker = charts.MARKERS[k % len(charts.MARKERS)]
        fill = (
            "none" if k // len(charts.MARKERS) % 2 else "full"
        )  # colours recur
        sizes, values = zip(*pairs, strict=True)
        axes.plot(
            sizes, values, marker, label=name, markersize=4, fillstyle=fill
        )
    axes.set(xlabel=x, ylabel=y, xscale="log", yscale="log")
    ticks.write(axes.xaxis, ticks.size)
    ticks.write(axes.yaxis, lambda v, _: f"{v:g}")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 0.5), max(high, 2))
    axes.minorticks_off()
    if len(points) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    rows = [
        [name, f"{size:g}", f"{value:.2f}"]
        for name, pairs in points.items()
        for size, value in pairs
    ]
    return charts.Chart(figure, ["", x, y], rows)


@matplotlib.style.context(charts.STYLE)
def speed_against_threads(speeds, cores):
    """Draw speed-up against threads, with the ideal min(N, M).

    speeds  {name: {threads: Quantity}}, each relative to one thread
    cores   M, the real cores, marked by a line

    Returns a Chart.  Source: Okuda, PyCon JP 2018, slide 16.
    """
    figure, axes = charts.axes()
    counts = sorted({n for points in speeds.values() for n in points})
    ideal = [min(n, cores) for n in counts]
    axes.plot(
        counts,
        ideal,
        color=charts.INK,
        linewidth=1,
        linestyle="--",
        label=f"ideal min(N, {cores})",
    )
    charts.draw(axes, speeds)
    axes.axvline(cores, color=charts.GREY, linewidth=1, linestyle=":")
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
    return charts.Chart(
        figure, head, rows, origin_of(charts.every(speeds)), finding
    )
