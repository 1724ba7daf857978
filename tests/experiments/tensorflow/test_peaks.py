"""Memory that a call needs at once, and operations that run side by side."""

import statistics
import sys

import cloudpickle
import numpy as np
import pytest

pytest.importorskip("tensorflow")

from onthefly.experiments.tensorflow import peaks, side_by_side, trades
from onthefly.tools.quiet_tensorflow import tf

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not peaks.here(), reason="/proc/self/clear_refs"),
]
# The process cannot import this file: its functions go by value.
cloudpickle.register_pickle_by_value(sys.modules[__name__])
ARRAY = np.ones(2**20, np.float32)


@pytest.fixture(scope="module")
def origin():
    with peaks.start() as program:
        yield program


@pytest.fixture(scope="module")
def process(origin):
    with peaks.Process(origin) as process:
        yield process


def three(x):
    return [x + 1.0, x + 2.0, x + 3.0]


def test_what_a_call_holds_is_counted_without_its_arguments(process):
    sample = process.calls(three, ARRAY)
    # On a busy machine, the call before may still hold an array.
    held = statistics.median(sample().counts["bytes"] for _ in range(5))
    assert held / ARRAY.nbytes == pytest.approx(3, abs=0.3)


def test_recomputing_changes_the_memory_and_not_the_gradient(process):
    sent = trades.inputs(1)
    kept, anew = (
        process.calls(f, *sent, way="graph")().counts["bytes"]
        for f in (trades.gradient, trades.gradient_recomputed)
    )
    assert anew < kept / 2
    tensors = list(map(tf.constant, sent))
    np.testing.assert_allclose(
        trades.gradient(*tensors),
        trades.gradient_recomputed(*tensors),
        rtol=1e-3,
        atol=1e-3,
    )


def test_only_two_threads_run_two_operations_at_once(origin, process):
    with peaks.Process(origin, inter=2) as two:
        alone, both = (p.ask(side_by_side.timeline) for p in (process, two))
    assert side_by_side.overlap(alone) == 0
    assert side_by_side.overlap(both) > 0
