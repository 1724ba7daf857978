"""What a run started, and what a graph holds."""

import numpy as np

from onthefly.experiments.graphs import traces
from onthefly.kernels.add import add_tensorflow


def test_nodes_are_built_and_run():
    feed = {"a:0": np.zeros(2, np.float32)}
    kept = add_tensorflow.session(
        add_tensorflow.build_unrolled, 5, folding=False
    )
    loop = add_tensorflow.session(add_tensorflow.build_while)
    assert _steps(kept, feed) == (5, 5)
    assert _steps(loop, feed | {"steps:0": 5}) == (1, 5)


def test_a_loop_adds_within_one_run():
    feed = {"a:0": np.zeros(2, np.float32)}
    one = add_tensorflow.session(add_tensorflow.build_unrolled, 1)
    loop = add_tensorflow.session(add_tensorflow.build_while)
    counts = traces.passed(one, feed, runs=3)
    assert list(counts.values()) == [1, 3, 3, 3]
    counts = traces.passed(loop, feed | {"steps:0": 3})
    assert list(counts.values()) == [1, 3, 1, 1]


def _steps(session, feeds):
    """Return the additions in a session's graph, and those of a run."""
    ran = [node for node, _ in traces.trace(session, feeds)]
    built = traces.names(session.graph)
    return tuple(map(traces.additions, (built, ran)))
