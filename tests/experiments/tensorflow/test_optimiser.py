"""What the graph optimiser removes, and what it must leave."""

import numpy as np
import pytest

pytest.importorskip("tensorflow")

from onthefly.experiments.tensorflow import optimiser
from onthefly.tools.quiet_tensorflow import tf

NUMBERS = tf.constant([0.5, 1.0, 2.0])


def folds(x):
    return x * tf.sqrt(tf.constant(2.0) + 1)


def repeats(x):
    return tf.sin(x) * 0.5 + tf.sin(x) * x


def test_each_pass_removes_what_is_its_own():
    one = optimiser.graphs(folds, NUMBERS, passes=["constant_folding"])
    other = optimiser.graphs(folds, NUMBERS, passes=[])
    assert "Sqrt" not in one.runs.values()
    assert "Sqrt" in other.runs.values()
    assert len(one.runs) < len(one.written)
    assert len(other.runs) == len(other.written)
    np.testing.assert_allclose(one.result, other.result)


def test_the_options_are_set_back():
    before = tf.config.optimizer.get_experimental_options()
    with pytest.raises(ZeroDivisionError), optimiser.only():
        raise ZeroDivisionError
    after = tf.config.optimizer.get_experimental_options()
    assert not after["disable_meta_optimizer"]
    assert all(after[name] for name in optimiser.PASSES)
    assert before.keys() <= after.keys()


def test_a_graph_under_passes_gives_what_eager_gives():
    for passes in (optimiser.PASSES, ()):
        call = optimiser.under(repeats, *passes)
        np.testing.assert_allclose(call(NUMBERS), repeats(NUMBERS))


def test_the_graphs_are_those_of_the_call_that_was_asked():
    optimiser.under(repeats)(NUMBERS)
    found = optimiser.graphs(folds, NUMBERS, passes=[])
    assert "Sin" not in found.written.values()


def test_a_constant_part_drawn_by_chance_is_folded():
    assert optimiser.folded(1)


def test_either_optimiser_alone_removes_the_second_sine():
    ways = optimiser.Ways(repeats, NUMBERS.numpy())
    results = [call() for call in ways.calls.values()]
    neither, *others = ways.kernels().values()
    assert all(count < neither for count in others)
    for found in results:
        np.testing.assert_allclose(found, repeats(NUMBERS), rtol=1e-6)
