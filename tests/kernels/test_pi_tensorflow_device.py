"""π by TensorFlow in a loop of its graph, fed points, or drawing them."""

import numpy as np
import pytest

from cases import tensorflow_or_skip
from onthefly.kernels import z_score

LARGE = 200_000


@pytest.fixture
def module():
    """The module, or skip the test."""
    tensorflow_or_skip()
    from onthefly.kernels.pi import pi_tensorflow_device

    return pi_tensorflow_device


def test_tensorflow_loops_inside_its_graph(module):
    way = module.on_device("/CPU:0", module.pi_tensorflow_loop)
    assert z_score(way(10_000, loop=20), LARGE) < 5
    assert 0 <= way(1, loop=1) <= 4
    with pytest.raises(ValueError, match="shots must be"):
        way(10, loop=0)


@pytest.mark.parametrize("name", ["fed", "drawn"])
def test_a_graph_is_fed_points_or_draws_them(module, name):
    way = getattr(module, f"pi_tensorflow_{name}")
    assert z_score(way(LARGE), LARGE) < 5
    assert way(1) in (0, 4)
    with pytest.raises(ValueError, match="shots must be"):
        way(0)


def test_what_is_fed_is_what_numpy_draws(module):
    x, y = np.random.RandomState(3).rand(2, 1000).astype(np.float32)
    hits = np.count_nonzero(np.sqrt(x * x + y * y) <= 1)
    pi = module.pi_tensorflow_fed(1000, np.random.RandomState(3))
    assert pi == pytest.approx(4 * hits / 1000)
