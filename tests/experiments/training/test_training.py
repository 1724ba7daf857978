"""Training eagerly, its calls, its data, and its checkpoints."""

import numpy as np
import pytest

from onthefly.experiments.training import (
    calls,
    checkpoints,
    feeds,
    keras_code,
    monitored,
    names,
    slides,
)
from onthefly.kernels import perceptron
from onthefly.kernels.perceptron_eager import Eager, loss
from onthefly.kernels.perceptron_function import Function, Loop
from onthefly.kernels.perceptron_numpy import Numpy
from onthefly.tools.quiet_tensorflow import tf

START = perceptron.start(1)
X, Y = perceptron.batches(8, seed=2)
NUMBERS = np.random.default_rng(0).random(50, dtype="float32")


def trained(trainer):
    """A trainer whose graphs are made."""
    model = trainer(START)
    model.train(X, Y)
    model.train(X[:4], Y[:4])
    return model


def test_operations_are_counted_and_nothing_else():
    a = tf.constant(1.0)
    assert calls.runtime_calls(lambda: tf.sqrt(tf.add(a, a))) == 2
    assert calls.runtime_calls(lambda: 1 + 1) == 0
    assert calls.runtime_calls(tf.function(lambda: a + a + a)) >= 1


def test_an_error_ends_the_counting():
    import sys

    with pytest.raises(ZeroDivisionError):
        calls.runtime_calls(lambda: 1 / 0)
    assert sys.getprofile() is None


def test_a_graph_is_one_call_a_step_and_its_loop_none():
    eager = calls.calls_of_a_step(trained(Eager), X, Y)
    assert eager > 20
    assert calls.calls_of_a_step(trained(Function), X, Y) == 1
    assert calls.calls_of_a_step(trained(Loop), X, Y) == 0


def test_the_slides_line_is_learned():
    weight, bias = slides.line_learned(1.5, -0.5, seed=3)
    assert abs(weight - 1.5) < 0.05 and abs(bias + 0.5) < 0.05
    assert len(slides.errors([1])) == 1


def test_adagrad_then_and_now_take_the_same_steps():
    made = [[*map(tf.Variable, START)] for _ in range(2)]
    then = slides.adagrad_then(made[0], loss, zip(X, Y, strict=True))
    now = slides.adagrad_now(made[1], loss, zip(X, Y, strict=True))
    assert then == pytest.approx(now, abs=1e-5) and len(then) == len(X)
    weights = [[v.numpy() for v in group] for group in made]
    assert perceptron.apart(*weights) < 1e-5
    assert perceptron.apart(weights[0], START) > 0


def test_a_name_is_found_where_it_is():
    assert names.place("train.Checkpoint") == "tf"
    assert names.place("train.MonitoredTrainingSession") == "tf.compat.v1"
    assert names.place("contrib.eager") == "gone"
    with pytest.raises(ValueError, match=r"tf\.nothing"):
        names.rows({"layers": "tf.nothing"})


@pytest.mark.parametrize("kind", feeds.KINDS)
def test_a_file_gives_back_its_numbers(kind, tmp_path):
    write, read = feeds.KINDS[kind]
    write(tmp_path / "file", NUMBERS)
    assert np.array_equal(feeds.numbers_of(read(tmp_path / "file")), NUMBERS)


def test_an_iterator_of_then_gives_the_numbers(tmp_path):
    feeds.write_text(tmp_path / "file", NUMBERS)
    found = feeds.by_an_iterator(tmp_path / "file")
    assert np.array_equal(found, NUMBERS)


def test_the_example_fails_in_a_graph_and_runs_eagerly(tmp_path):
    (path,) = feeds.write_images(tmp_path, 1)
    images = tf.data.Dataset.from_tensors((path, 7))
    assert "shape" in feeds.refusal(images.map, feeds.parse_printed)
    assert feeds.parse_printed(path, 7)[0].shape == (28, 28, 3)
    (image, label), = images.map(feeds.parse)  # fmt: skip
    assert image.shape == (28, 28, 3) and label == 7
    eager, _ = feeds.parse(path, 7)
    assert np.array_equal(eager, image)
    assert feeds.refusal(feeds.parse, path, 7) == ""


def half_trained(path):
    """An eager model, its checkpoint, and its state then."""
    model = checkpoints.Eager(1)
    model.train(X[:4], Y[:4])
    return model, model.save(path / "eager"), model.state()


def test_a_checkpoint_keeps_every_bit_in_both_directions(tmp_path):
    eager, path, saved = half_trained(tmp_path)
    graph = checkpoints.Graph(2, rewrite=False)
    assert checkpoints.differing(graph.state(), saved)
    graph.restore(path)
    assert not checkpoints.differing(graph.state(), saved)
    for model in (eager, graph):
        model.train(X[4:], Y[4:])
    drift = checkpoints.drift(graph, eager)
    assert drift == {"differing": [], "farthest": 0}
    assert checkpoints.differing(graph.state(), saved)
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
def test_the_hook_stops_where_it_is_told(last):
    reference = Numpy(START)
    reference.train(X[:last], Y[:last])
    batches = zip(X, Y, strict=True)
    learned, stopped = monitored.monitored(START, batches, last)
    assert stopped == last and len([*batches]) == len(X) - last
    assert perceptron.apart(learned, reference.weights()) < 1e-5


def test_a_piece_runs_or_its_error_is_told():
    import keras

    def run(text):
        return keras_code.outcome(text, keras=keras, tf=tf)

    assert (
        keras_code.prefixed("keras.a(my_keras.b)") == "tf.keras.a(my_keras.b)"
    )
    good = run("found = [keras.layers.Dense(2)(x)]")
    again = run("found = [keras.layers.Dense(2)(x)]")
    assert keras_code.runs(good) and keras_code.same(good, again)
    assert not keras_code.same(
        good, run("found = [keras.layers.Dense(3)(x)]")
    )
    bad = run("found = keras.nothing")
    assert not keras_code.runs(bad) and not keras_code.same(bad, bad)
    assert keras_code.told(bad).startswith("AttributeError: ")
    assert keras_code.told(good) == "runs"


def test_public_names_are_found_below():
    import keras

    found = keras_code.public(keras)
    assert found["layers.Dense"] is keras.layers.Dense
    assert not any(
        part.startswith("_") for n in found for part in n.split(".")
    )
