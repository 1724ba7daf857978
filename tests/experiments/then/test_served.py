"""What crosses, and what is refused, under the TensorFlow of then."""

import pytest

pytest.importorskip("tensorflow")

from onthefly.experiments.graphs import servers
from onthefly.experiments.then import served, talks
from onthefly.kernels import perceptron

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not talks.here(), reason="no TensorFlow of then"),
]
GUARDED = pytest.mark.skipif(bool(servers.missing()), reason="no guard")


def test_a_graph_was_bytes_within_a_process():
    found = served.handed_over("1.4", "1.9")
    assert len(found["1.4"]) == 1 and found["1.4"][0] > 10
    assert found["1.9"] == []
    assert served.calls("1.4") == {"by_runs": [2, 100], "by_loop": [1, 1]}


@GUARDED
def test_a_graph_crosses_to_a_server_once():
    found = served.messages("1.4")
    assert [size > 10 for size in found["nodes"]] == [True]
    assert found["by_runs"] == [2, 100] and found["by_loop"] == [1, 1]


@GUARDED
def test_a_monitored_session_stops_at_its_step():
    x, y = perceptron.batches(5, seed=1)
    batches = [*zip(x, y, strict=True)]
    found = served.monitored("1.4", "1.5", perceptron.start(1), batches, 3)
    assert set(found) == {"here", "server"}
    assert all(step == 3 and far < 1e-5 for step, far in found.values())


@GUARDED
def test_eager_execution_refuses_what_the_table_says():
    found = served.lacks("1.5")
    assert found.pop("interactive") == 42
    assert all("Error: " in refusal for refusal in found.values())
