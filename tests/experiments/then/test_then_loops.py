"""The talk's loop and the article's counter under TensorFlow of then."""

import pytest

from cases import skip_if

pytest.importorskip("tensorflow")

from onthefly.experiments.tensorflow.printed import then as published
from onthefly.experiments.then import loops, nodes


@skip_if("" if loops.here() else "no TensorFlow 1.9")
def test_loops_and_round_trips_are_timed():
    times = loops.taken([10, 100], [1, 4], (100, [0, 20]), budget=0.2)
    assert {s.name for s in times} == {
        "round trip",
        *(f"{way}, {n}" for way in ("eager", "graph") for n in (1, 4)),
        "graph, 0",
        "graph, 20",
    }


@skip_if("" if nodes.here() else "no TensorFlow 0.12")
def test_the_counter_of_then_is_read_by_todays_messages():
    said = nodes.counted()
    assert said["states"] == [0, 1, 2, 3]
    names = [n.name for n in nodes.graph_def(said).node]
    assert names == [
        one.split()[0] for one in published("counter-node-order").split("; ")
    ]
    assert {"Add", "Assign"} <= {*nodes.definitions(said)}
