"""From data to a figure: which kind, which numbers."""

import pytest

from onthefly.figures import plots
from onthefly.measure.quantity import Quantity
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings


def times(sizes=(10, 1000)):
    """Timings of a slow and a fast way; each takes its size in µs."""
    slow, fast = (
        [Series(name, n, None, (k * (n or 1) * 1e-6,) * 6) for n in sizes]
        for name, k in (("slow", 3), ("fast", 1))
    )
    return Timings([*slow, *fast], cores=2)


def test_times_against_size():
    chart = plots.chart(times(), x="shots")
    axes = chart.figure.axes[0]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert axes.get_xlabel() == "shots" and axes.get_ylabel() == "time a call"
    assert "slow takes 3.00 times as long" in chart.finding


@pytest.mark.parametrize("size", [None, 10])
def test_factors_over_a_candidate(size):
    chart = plots.chart(times(), against="slow", size=size)
    assert {row[0] for row in chart.rows} == {"fast"}
    assert all("3.00×" in row for row in chart.rows)


def test_what_factors_are_over_is_ahead_where_none_exceeds_it():
    chart = plots.chart(times(), x="shots", against="fast")
    assert chart.finding == (
        "Ahead at every size: fast. "
        "At 1,000 shots: fast: 1.00×, slow: 0.333×."
    )


def test_times_without_sizes_are_bars():
    chart = plots.chart(times([None]))
    assert [row[:2] for row in chart.rows] == [
        ["fast", "1.00 µs"],
        ["slow", "3.00 µs"],
    ]


def test_quantities_are_bars_and_those_by_size_are_lines():
    q = Quantity(2, 1.9, 2.1, "×")
    assert plots.chart({"a": q}, x="gain").head[1] == "gain"
    assert plots.chart({"a": {1: q}}, x="n", y="gain").head[1:3] == [
        "n",
        "gain",
    ]
    threads = plots.chart({"a": {1: q, 2: q}}, cores=2)
    assert threads.head[1] == "threads"


def test_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="no 'C'; there are: slow, fast"):
        plots.chart(times(), against="C")
    with pytest.raises(ValueError, match="no data"):
        plots.chart({})
