"""The chart of a page's history: ratio against date, with its steps."""

import datetime

import matplotlib.style
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure

from keeping import commits
from onthefly import figures
from onthefly.quantity import INTERVAL, Quantity
from rendering.trends.lines import NEEDED

MOST = 5  # lines in one chart
DAY = datetime.timedelta(days=1)
SIZE = (5.2, 2.4)  # inches
HEAD = ["machine, preset", "run began", "ratio", INTERVAL, "commit", "Python",
        "remark"]  # fmt: skip


def times(value):
    """Return a ratio as text."""
    return Quantity.exact(value, "×").short


@matplotlib.style.context(figures.STYLE)
def chart(history):
    """Return the Chart of a History; its table has all lines."""
    figure = Figure(figsize=SIZE)
    axes = figure.subplots()
    drawn = history.chosen(MOST)
    for k, line in enumerate(drawn):
        _draw(axes, line, k)
    locator = AutoDateLocator(minticks=2, maxticks=6)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.6g}×")
    axes.set(xlabel="run began (UTC)", ylabel="ratio")
    axes.margins(y=0.2)
    if len(moments := {p.entry.moment for x in drawn for p in x.points}) == 1:
        (only,) = moments  # matplotlib would show years around it
        axes.set_xlim(only - DAY, only + DAY)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    rows = [row for line in history.lines for row in _rows(line)]
    return figures.Chart(figure, HEAD, rows, "", finding(history))


def _draw(axes, line, k):
    """Draw the runs of a line, the level of each piece, and its steps."""
    values = [p.ratio.quantity for p in line.points]
    axes.errorbar(
        [p.entry.moment for p in line.points],
        [q.value for q in values],
        yerr=_ends(values),
        linestyle="none",
        color=f"C{k}",
        marker=figures.MARKERS[k],
        markersize=4,
        capsize=2,
        label=line.name,
    )
    pieces = line.pieces()
    for piece in pieces:
        ends = [piece.points[i].entry.moment for i in (0, -1)]
        axes.plot(ends, [piece.level] * 2, color=f"C{k}", linewidth=1)
    for piece in pieces[1:]:
        axes.axvline(
            piece.points[0].entry.moment,
            color=f"C{k}",
            linewidth=1,
            linestyle=":",
        )


def _ends(quantities):
    """Return matplotlib's yerr; an end that is infinite is not drawn."""
    low = [q.value - max(q.low, 0) for q in quantities]
    high = [min(q.high, 10 * q.value) - q.value for q in quantities]
    return [low, high]


def _rows(line):
    """Return a row of the table for each run of a line."""
    first = {after.points[0] for _, after in line.steps()}
    rows = []
    for point in line.points:
        q, entry = point.ratio.quantity, point.entry
        said = ["a step"] * (point in first)
        said += [f"doubtful: {q.note}"] * bool(q.note)
        rows.append(
            [line.name, f"{entry.moment:%Y-%m-%d %H:%M}", q.short,
             q.interval, commits.short(entry.commit), entry.python,
             "; ".join(said)]
        )  # fmt: skip
    return rows


def finding(history):
    """Return what the chart shows, in a sentence a line."""
    told = [_told(line) for line in history.chosen(MOST)]
    more = len(history.lines) - len(told)
    if more:
        told.append(f"{more} more, with fewer runs, are in the table alone.")
    return " ".join(told)


def _told(line):
    """Return where a line runs, and its last step, in a sentence."""
    values = [p.ratio.value for p in line.points]
    count = len(values)
    runs = f"{line.name}: {count} run{'s' * (count > 1)}"
    if count == 1:
        return f"{runs}, {times(*values)}."
    steps = line.steps()
    if steps:
        before, after = steps[-1]
        day = after.points[0].entry.day
        which = (
            "a step" if len(steps) == 1 else f"{len(steps)} steps; the last"
        )
        return (
            f"{runs}, {which} on {day}, from {times(before.level)} to "
            f"{times(after.level)}."
        )
    ends = f"{times(min(values))} to {times(max(values))}"
    if count < NEEDED:
        return f"{runs}, {ends}; {NEEDED} are needed to see a step."
    return f"{runs}, {ends}, no step."
