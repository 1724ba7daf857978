"""Who turns a loop, Python or the graph."""

import pytest

from onthefly.experiments.graphs import loops
from onthefly.kernels import pi_tensorflow_session as graphs


@pytest.mark.parametrize("way", loops.ADDITIONS)
def test_each_way_adds(way):
    call = loops.additions(3)[way]
    assert call(4).tolist() == [3.0] * 4
    assert call(4).tolist() == [3.0] * 4  # the zeros are still zeros
    assert len(call(2)) == 2


def test_python_enters_a_traced_function_once():
    import tensorflow as tf

    assert loops.entered(loops.as_it_is, calls=3) == (3, 3)
    assert loops.entered(tf.function, calls=3) == (1, 3)


def test_both_loops_call_twice():
    def hits():
        return graphs.count_hits(1000)

    for turned in loops.in_python(hits), loops.in_while_loop(hits):
        assert 1200 < turned < 2000
