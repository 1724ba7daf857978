"""Add one to an array, many times, by TensorFlow."""

import numpy as np
import pytest

from onthefly.kernels import add_tensorflow

ADDS = ["eager", "unrolled", "session", "while", "function"]


@pytest.mark.parametrize("way", ADDS)
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_steps_are_added(way, steps):
    array = np.arange(4, dtype=np.float32)
    found = getattr(add_tensorflow, f"add_{way}")(array, steps)
    assert found.dtype == np.float32
    assert np.array_equal(found, array + steps)


def test_nodes_are_built_and_run():
    feed = {"a:0": np.zeros(2, np.float32)}
    kept = add_tensorflow.session(
        add_tensorflow.build_unrolled, 5, folding=False
    )
    loop = add_tensorflow.session(add_tensorflow.build_while)
    assert _steps(kept, feed) == (5, 5)
    assert _steps(loop, feed | {"steps:0": 5}) == (1, 5)


def _steps(session, feeds):
    """Return the additions in a session's graph, and those of a run."""
    ran = [node for node, _ in add_tensorflow.trace(session, feeds)]
    built = add_tensorflow.names(session.graph)
    return tuple(map(add_tensorflow.steps_in, (built, ran)))
