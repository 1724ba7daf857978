"""Training under the TensorFlow of then."""

import pytest

pytest.importorskip("tensorflow")

from onthefly.experiments.then import talks, trained
from onthefly.kernels import perceptron

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not talks.here(), reason="no TensorFlow of then"),
]


def test_the_example_of_the_slide_stops():
    found = trained.pipelines("1.4")["1.4"]
    assert set(found["kinds"].values()) == {True}
    error, shape = found["decode_image"]
    assert error.startswith("ValueError") and shape is None
    assert found["decode_jpeg"] == ["", [28, 28, 3]]


def test_both_modes_have_the_same_interfaces():
    found = trained.interfaces("1.5")
    names = ["tf.layers", "tf.train.Optimizer", "tf.data", "predict"]
    assert [*found] == names
    assert set(found.values()) == {True}


def test_a_line_is_learned_and_a_loss_falls():
    assert max(trained.line_errors("1.5", [1, 2])) < 0.1
    x, y = perceptron.batches(20, seed=1)
    batches = [*zip(x, y, strict=True)]
    losses, weights = trained.adagrad("1.5", perceptron.start(1), batches)
    assert losses[-1] < losses[0] and len(weights) == 4


def test_a_checkpoint_keeps_every_bit():
    found = trained.checkpoints("1.5", seed=1, steps=2)
    assert set(found) == {"eager to graph", "graph to eager"}
    for way in found.values():
        assert way["variables"] == 8 and way["differing"] == []
        assert way["farthest"] < 1e-5
