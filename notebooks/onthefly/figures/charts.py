"""What all kinds of figures share: the style, a chart, points and bars."""

import dataclasses
import itertools
import math
import pathlib

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from onthefly.figures import ticks

# The palette, and all else of the look, stands in this file alone.
STYLE = pathlib.Path(__file__).with_name("onthefly.mplstyle")
_STYLE = matplotlib.rc_params_from_file(STYLE, use_default_template=False)
INK = _STYLE["text.color"]  # becomes the page's own
GREY = _STYLE["grid.color"]  # of what helps to read a figure
COLOURS = _STYLE["axes.prop_cycle"].by_key()["color"]
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


def every(series):
    """Return the Quantities of {name: {size: Quantity}}."""
    return [q for points in series.values() for q in points.values()]


def axes(width=6.4, height=3.6):
    """Return a new figure and its axes, without pyplot's global state."""
    figure = Figure(figsize=(width, height))
    return figure, figure.subplots()


def errors(quantities):
    """Return matplotlib's yerr; infinite ends are left out."""
    ends = [(q.value - q.low, q.high - q.value) for q in quantities]
    safe = [[e if math.isfinite(e) else 0 for e in pair] for pair in ends]
    return [list(side) for side in zip(*safe, strict=True)]


def draw(axes, series, style=None):
    """Draw {name: {size: Quantity}} with intervals, a marker each.

    style  {name: more arguments of matplotlib's errorbar}
    """
    # The eighth series has the colours and markers of the first again.
    marked = zip(series.items(), itertools.cycle(MARKERS), strict=False)
    for k, ((name, points), marker) in enumerate(marked):
        values = list(points.values())
        look = {"linestyle": "-" if k < len(MARKERS) else ":", "capsize": 2}
        axes.errorbar(
            list(points),
            [q.value for q in values],
            yerr=errors(values),
            label=name,
            marker=marker,
            **(look | (style or {}).get(name, {})),
        )


def scale(axes, name, log, write):
    """Make axis "x" or "y" logarithmic, or not; `write` words its ticks."""
    axis = getattr(axes, f"{name}axis")
    if log:
        axes.set(**{f"{name}scale": "log"})
        if ticks.is_short(axis):
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            write = ticks.size if write is ticks.power else write
    ticks.write(axis, write)


def label_bars(axes, names, x, unit):
    """Name the horizontal bars, the first at the top, and their axis."""
    if write := ticks.BY_UNIT.get(unit):
        ticks.write(axes.xaxis, write)
        if axes.get_xscale() == "linear":  # the unit is in each tick
            axes.locator_params(axis="x", nbins=6)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.minorticks_off()
    axes.set_xlabel(x)
