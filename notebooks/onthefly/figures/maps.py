"""Who is ahead over two sizes: a map."""

import itertools
import math

import matplotlib.style
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from onthefly.figures import charts, findings, ticks


@matplotlib.style.context(charts.STYLE)
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
    figure, axes = charts.axes(height=4.2)
    edges = [_edges(sorted({place[k] for place in cells})) for k in (0, 1)]
    for name in [*names, *hatched]:
        path = _tiles(cells, name, edges)
        if path is None:
            continue
        if name in hatched:
            look = {"edgecolor": charts.GREY, "hatch": hatched[name]}
            look["facecolor"] = "none"
        else:
            colour = f"C{names.index(name)}"
            look = {"facecolor": colour, "alpha": 0.6}
        axes.add_patch(PathPatch(path, linewidth=0, label=name, **look))
    for axis, label, ends in zip("xy", (x, y), edges, strict=True):
        low, *_, high = sorted(end for pair in ends.values() for end in pair)
        axes.set(**{f"{axis}scale": "log", f"{axis}lim": (low, high)})
        axes.set(**{f"{axis}label": label})
        ticks.write(getattr(axes, f"{axis}axis"), ticks.size)
    axes.minorticks_off()
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    ahead = {k: None if v in hatched else v for k, v in cells.items()}
    rows = [
        [f"{b:,}", findings.of_row(ahead, b, x)]
        for b in sorted({b for _, b in cells})
    ]
    finding = findings.of_regions(ahead, x=x, y=y)
    return charts.Chart(figure, [y, "ahead"], rows, "", finding)


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
        for ahead, run in itertools.groupby(row, row.get):
            if ahead == name:
                ends = [end for x in run for end in edges[0][x]]
                left, right = min(ends), max(ends)
                corners = [(left, low), (right, low), (right, high)]
                corners += [(left, high), (left, low)]
                tiles.append(Path(corners, closed=True))
    return Path.make_compound_path(*tiles) if tiles else None
