"""Pieces that are cut out of a graph."""

import pytest

pytest.importorskip("tensorflow")

from onthefly.experiments.tensorflow import pieces
from onthefly.tools.quiet_tensorflow import tf


def line(x):
    inner = tf.multiply(x, 3.0, name="inner")
    return tf.add(inner, 1.0, name="outer")


@pytest.fixture(scope="module")
def whole():
    spec = tf.TensorSpec([2], tf.float32)
    graph = tf.function(line).get_concrete_function(spec).graph
    return graph.as_graph_def()


def test_a_piece_takes_its_input_where_it_was_cut(whole):
    part = pieces.piece(whole, ["inner"], ["outer"])
    assert pieces.inputs(part) == ["inner"]
    (output,) = pieces.alone(part, "outer")(tf.constant([1.0, 2.0]))
    assert output.numpy().tolist() == [2.0, 3.0]


def test_a_piece_that_is_cut_by_chance_is_the_same_alone():
    assert pieces.same_alone(3)
