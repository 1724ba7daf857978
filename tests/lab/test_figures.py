"""The figure kinds: text, ink, legends, layers."""

import math

import pytest

from onthefly import figures
from onthefly.measure import models
from onthefly.measure.quantity import Quantity


def chart():
    points = {n: Quantity(n / 1e6, n / 2e6, n / 5e5, "s") for n in (10, 100)}
    return figures.lines({"a": points}, x="shots", y="time", time="y")


def test_figures_are_text_in_the_pages_own_ink():
    text = figures.svg(chart(), "one")
    assert "<text" in text and "currentColor" in text
    assert figures.INK not in text and "<style" not in text
    ids = [part.split('"')[0] for part in text.split(' id="')[1:]]
    assert ids and all(i.startswith("one-") for i in ids)
    assert len(ids) == len(set(ids))


def test_a_course_has_a_gap_where_nothing_was_measured():
    q = Quantity(2.0, 1.5, 2.5, "×")
    made = figures.course(
        {"a": {"1.0": q, "1.2": q}, "b": {"1.1": q}},
        places=["1.0", "1.1", "1.2"],
        x="version",
        y="time",
        marks={"a": [("1.0", "1.2")]},
    )
    axes = made.figure.axes[0]
    labels = [text.get_text() for text in axes.get_xticklabels()]
    assert labels == ["1.0", "1.1", "1.2"]
    first = axes.lines[0].get_ydata()
    assert [math.isnan(value) for value in first] == [False, True, False]
    assert len(made.rows) == 3 and "<svg" in figures.svg(made, "x")


@pytest.mark.parametrize("name", ["series", "axes", "style"])
def test_a_line_may_have_any_name(name):
    points = {n: Quantity(2.0 * n, n, 3.0 * n, "s") for n in (10, 20, 40)}
    fit = models.line(list(points), list(points.values()))
    made = figures.lines({name: points}, x="n", y="time", fits={name: fit})
    assert made.rows[0][0] == name


def test_a_graph_is_drawn_from_nodes_and_edges():
    nodes = {1: "x", 2: "y", 3: "sum", 4: "root"}
    edges = [(1, 3), (2, 3), (3, 4), (1, 4)]
    chart = figures.graph(nodes, edges, {1: "input", 2: "input"})
    depends = {row[1]: row[3] for row in chart.rows}
    assert depends == {"x": "", "y": "", "sum": "1, 2", "root": "1, 3"}
    text = figures.svg(chart, "graph")
    assert all(f">{label}</text>" in text for label in nodes.values())
    assert "input" in text


@pytest.mark.parametrize(
    ("nodes", "edges", "match"),
    [
        ({}, [], "no nodes"),
        ({1: "a"}, [(1, 2)], "no such node"),
        ({1: "a", 2: "b"}, [(1, 2), (2, 1)], "cycle"),
    ],
)
def test_what_is_no_graph_is_refused(nodes, edges, match):
    with pytest.raises(ValueError, match=match):
        figures.graph(nodes, edges)


def test_stacked_bars_lie_end_to_end():
    s = Quantity.exact
    chart = figures.stacked(
        {"one": {"a": s(1, "s"), "b": s(2, "s")}, "two": {"b": s(4, "s")}},
        x="time",
    )
    (axes,) = chart.figure.axes
    boxes = [(b.get_x(), b.get_width()) for b in axes.patches]
    assert boxes == [(0, 1), (0, 0), (1, 2), (0, 4)]
    assert [row[:3] for row in chart.rows] == [
        ["one", "a", "1.00 s"],
        ["one", "b", "2.00 s"],
        ["two", "b", "4.00 s"],
    ]


@pytest.mark.parametrize("most", [8, 30, 3000])
def test_a_logarithmic_axis_has_two_ticks_with_their_own_values(most):
    points = {n: Quantity.exact(3.0 * n) for n in (2, most)}
    chart = figures.lines({"a": points}, x="n", y="count")
    chart.figure.canvas.draw()
    (axes,) = chart.figure.axes
    for axis in axes.xaxis, axes.yaxis:
        low, high = axis.get_view_interval()
        labels = dict(
            zip(
                axis.get_majorticklocs(),
                (label.get_text() for label in axis.get_majorticklabels()),
                strict=True,
            )
        )
        shown = [text for at, text in labels.items() if low <= at <= high]
        assert len(shown) >= 2
        assert len({*shown}) == len(shown)
