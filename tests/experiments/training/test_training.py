"""Training eagerly, its calls, and its checkpoints."""

import numpy as np
import pytest

from onthefly.experiments.training import (
    checkpoints,
    monitored,
    runtime,
    slides,
)
from onthefly.kernels import perceptron
from onthefly.kernels.perceptron.perceptron_eager import Eager, loss
from onthefly.kernels.perceptron.perceptron_function import Function, Loop
from onthefly.tools.quiet_tensorflow import tf

START = perceptron.start(1)
X, Y = perceptron.batches(8, seed=2)


def trained(trainer):
    """A trainer whose graphs are made."""
    model = trainer(START)
    model.train(X, Y)
    model.train(X[:4], Y[:4])
    return model


def test_operations_are_counted_and_nothing_else():
    a = tf.constant(1.0)
    assert runtime.runtime_calls(lambda: tf.sqrt(tf.add(a, a))) == 2
    assert runtime.runtime_calls(lambda: 1 + 1) == 0
    assert runtime.runtime_calls(tf.function(lambda: a + a + a)) >= 1


def test_a_graph_is_one_call_a_step_and_its_loop_none():
    eager = runtime.calls_of_a_step(trained(Eager), X, Y)
    assert eager > 20
    assert runtime.calls_of_a_step(trained(Function), X, Y) == 1
    assert runtime.calls_of_a_step(trained(Loop), X, Y) == 0


def test_adagrad_then_and_now_take_the_same_steps():
    made = [[*map(tf.Variable, START)] for _ in range(2)]
    then = slides.adagrad_then(made[0], loss, zip(X, Y, strict=True))
    now = slides.adagrad_now(made[1], loss, zip(X, Y, strict=True))
    assert then == pytest.approx(now, abs=1e-5) and len(then) == len(X)
    weights = [[v.numpy() for v in group] for group in made]
    assert perceptron.apart(*weights) < 1e-5


def test_a_checkpoint_keeps_every_bit_in_both_directions(tmp_path):
    eager, graph = checkpoints.Eager(1), checkpoints.Graph(2, rewrite=False)
    eager.train(X[:4], Y[:4])
    assert checkpoints.differing(graph.state(), eager.state())
    graph.restore(eager.save(tmp_path / "eager"))
    assert not checkpoints.differing(graph.state(), eager.state())
    for model in (eager, graph):
        model.train(X[4:], Y[4:])
    drift = checkpoints.drift(graph, eager)
    assert drift == {"differing": [], "farthest": 0}
    again = checkpoints.Eager(3)
    again.restore(graph.save(tmp_path / "graph"))
    assert not checkpoints.differing(again.state(), graph.state())


def test_a_file_by_names_is_read_by_names(tmp_path):
    graph, eager = checkpoints.Graph(2), checkpoints.Eager(3)
    graph.train(X, Y)
    path = graph.save_by_name(tmp_path / "named")
    assert checkpoints.stored(path).keys() == graph.state().keys()
    checkpoints.read_by_name(path, eager.everything())
    assert not checkpoints.differing(graph.state(), eager.state())


def test_one_bit_is_a_difference():
    one = {"a": np.float32([1, 2]), "b": np.float32([0])}
    other = {"a": np.float32([1, 2]), "b": np.float32([-0.0])}
    assert checkpoints.differing(one, one) == []
    assert checkpoints.differing(one, other) == ["b"]
    assert checkpoints.differing(one, {"a": one["a"]}) == ["b"]
    assert checkpoints.farthest(one, other) == 0


@pytest.mark.parametrize("last", [1, 5])
def test_the_hook_stops_after_its_last_step(last):
    eagerly = [*map(tf.Variable, START)]
    slides.adagrad_then(eagerly, loss, zip(X[:last], Y[:last], strict=True))
    batches = zip(X, Y, strict=True)
    learned, stopped = monitored.monitored(START, batches, last)
    assert stopped == last and len([*batches]) == len(X) - last
    assert perceptron.apart(learned, [v.numpy() for v in eagerly]) < 1e-5
