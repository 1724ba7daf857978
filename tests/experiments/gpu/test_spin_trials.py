"""Which kernels of several threads ran at once."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import needs_gpu, skip_if
from onthefly import figures
from onthefly.experiments.gpu import spin_trials
from onthefly.kernels.spin import spin_raw
from onthefly.measure import machine
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings

CUDA = needs_gpu("torch", "cupy")
COMPILER = skip_if(spin_raw.missing())


def made(ways, origin=""):
    """Return the timeline of {way: [(begin, end), …]}, in six equal rounds.

    Seconds; the spans of a way in the order of their begins.
    """
    return Timings(
        [
            Series(f"{way}, {name}", k, 1.0, (seconds,) * 6)
            for way, spans in ways.items()
            for k, span in enumerate(spans, 1)
            for name, seconds in zip(("begin", "end"), span, strict=True)
        ],
        origin=origin,
    )


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 20)),
                min_size=2, max_size=6), st.randoms())  # fmt: skip
def test_the_order_of_spans_does_not_matter(spans, rng):
    spans = [(begin, begin + length) for begin, length in spans]
    count = spin_trials.overlapping(*zip(*spans, strict=True))
    # By ticks of the clock: the same, counted another way.
    ticks = [set(range(*span)) for span in spans]
    assert count[0] == sum(
        2 * len(a & b) >= min(len(a), len(b))
        for a, b in itertools.combinations(ticks, 2)
    )
    rng.shuffle(spans)
    assert spin_trials.overlapping(*zip(*spans, strict=True)) == count


def test_a_timeline_has_shares_lengths_and_an_origin():
    times = made(
        {"in turn": [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)],
         "at once": [(0.0, 1.0), (0.0, 1.0), (0.1, 1.1)]},
        origin="another machine",
    )  # fmt: skip
    assert spin_trials.at_once(times, "in turn").value == 0
    assert spin_trials.at_once(times, "at once").value == 1
    assert spin_trials.length(times, "in turn").value == pytest.approx(3)
    assert spin_trials.length(times, "at once").value == pytest.approx(1.1)
    assert spin_trials.length(times, "at once").origin == "another machine"
    chart = figures.spans(spin_trials.bars(times), x="time")
    assert chart.origin == "another machine" and len(chart.rows) == 6


@COMPILER
def test_the_gil_decides_which_kernels_run_at_once():
    times = Timings.of(spin_trials.on_processor(0.02, 2, rounds=6))
    assert spin_trials.at_once(times, "GIL held").value == 0
    assert spin_trials.length(times, "GIL held").low >= 2
    if machine.usable_cores() > 1:
        assert spin_trials.at_once(times, "GIL released").value > 0


@CUDA
def test_streams_decide_which_kernels_run_at_once():
    from onthefly.kernels.spin import spin_cupy

    ways = spin_cupy.ways(0.02, 4)
    times = Timings.of(spin_trials.timeline(ways, 4, rounds=6))
    shares = {w: spin_trials.at_once(times, w).value
              for w in spin_trials.ways_of(times)}  # fmt: skip
    assert shares["null stream"] == 0
    assert shares["own stream"] > 0.9
    assert shares["per thread"] > 0.9
    assert shares["full device"] < 0.1
