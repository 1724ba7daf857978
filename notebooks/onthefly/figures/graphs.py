"""A graph of tasks or operations, in layers."""

import matplotlib.style
import numpy as np

from onthefly.figures import charts


def in_layers(nodes, edges):
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
    """Return {node: x} of a layer, in which all are as far from each other.

    names  of the kinds that have a column of their own; None: there is none
    """
    if names is None:
        return {n: (k + 0.5) / len(layer) for k, n in enumerate(layer)}
    spots = {}
    for column, name in enumerate(names):
        here = [node for node in layer if kinds[node] == name]
        for k, node in enumerate(here):
            spots[node] = (column + (k + 0.5) / len(here)) / len(names)
    return spots


@matplotlib.style.context(charts.STYLE)
def graph(nodes, edges, kinds=None, columns=False):
    """Draw a directed graph without cycles, its inputs at the top.

    nodes    {key: label}
    edges    [(from, to)] of keys
    kinds    {key: name}: what sort of node, told by colour and legend
    columns  whether each kind has a column of its own; all nodes have a kind

    Returns a Chart, whose table lists each node and what it depends on.
    """
    layers, needs = in_layers(nodes, edges)
    kinds = kinds or {}
    names = list(dict.fromkeys(kinds.values()))
    letters = max(sum(len(nodes[n]) + 3 for n in layer) for layer in layers)
    width = min(6.4, max(3.5, 0.085 * letters))  # 3.5 inches fit on a phone
    figure, axes = charts.axes(width, 0.5 + 0.75 * len(layers))
    colours = {node: f"C{names.index(kind)}" for node, kind in kinds.items()}
    small = {"fontsize": 10 if max(map(len, layers)) <= 6 else 7}
    boxes = {}
    for row, layer in enumerate(layers):
        spots = _columns(layer, kinds, names if columns else None)
        for node, x in spots.items():
            colour = colours.get(node, charts.INK)
            boxes[node] = _box(axes, x, -row, nodes[node], colour, small)
    for start, end in edges:
        _arrow(axes, boxes[start], boxes[end], columns)
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
    return charts.Chart(figure, ["node", "label", "kind", "depends on"], rows)


def _box(axes, x, y, label, colour, look):
    """Write a label in a box; return the Text.  look: its font."""
    box = {"facecolor": "none", "edgecolor": colour, "linewidth": 1.5}
    box["boxstyle"] = "round,pad=0.5"
    return axes.text(x, y, label, ha="center", va="center", bbox=box, **look)


def _arrow(axes, start, end, columns):
    """Draw an arrow from box to box, past the boxes between in a column."""
    (x, y), (left, top) = end.get_position(), start.get_position()
    bend = 0
    if columns and x == left and top - y > 1:
        bend = 0.3 if x < 0.5 else -0.3  # on the outer side of the column
    axes.annotate(
        "",
        (x, y),
        (left, top),
        arrowprops={
            "connectionstyle": f"arc3,rad={bend}",
            "arrowstyle": "-|>",
            "color": charts.GREY,
            "patchA": start.get_bbox_patch(),
            "patchB": end.get_bbox_patch(),
            "shrinkA": 1,
            "shrinkB": 1,
        },
    )
