"""One program in several libraries."""

import numpy as np
import pytest

from onthefly.kernels import pi_ports, z_score
from onthefly.kernels import pi_tensorflow_session as graphs
from onthefly.tools.quiet_tensorflow import tf

SHOTS = 100_000


@pytest.mark.parametrize("way", ["numpy", "numpy_ones", "tensorflow"])
def test_a_port_estimates_pi(way):
    library = tf if way == "tensorflow" else np
    port = getattr(pi_ports, f"port_{way}")
    assert z_score(port(library, SHOTS), SHOTS) < 5


def test_the_port_to_torch_estimates_pi():
    torch = pytest.importorskip("torch")
    assert z_score(pi_ports.port_torch(torch, SHOTS), SHOTS) < 5


def test_repaired_numpy_estimates_pi():
    rng = np.random.default_rng(7)
    assert z_score(pi_ports.pi_numpy_single(SHOTS, rng), SHOTS) < 5
    assert z_score(pi_ports.pi_numpy_double(SHOTS), SHOTS) < 5


def test_counts_agree_on_the_same_points():
    x, y = np.random.default_rng(7).random((2, SHOTS), np.float32)
    found = graphs.count_inside(tf.constant(x), tf.constant(y))
    assert int(found) == pi_ports.count_numpy(x, y)
    assert 0 < int(found) < SHOTS
