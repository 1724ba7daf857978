"""One program in several libraries."""

import numpy as np
import pytest

from onthefly.kernels import pi_ports, z_score
from onthefly.kernels import pi_tensorflow_session as graphs
from onthefly.tools.quiet_tensorflow import tf

SHOTS = 100_000


@pytest.mark.parametrize(
    ("port", "library"),
    [
        (pi_ports.port_numpy, "numpy"),
        (pi_ports.port_numpy_ones, "numpy"),
        (pi_ports.port_tensorflow, "tensorflow"),
        (pi_ports.port_torch, "torch"),
    ],
)
def test_a_port_estimates_pi(port, library):
    module = pytest.importorskip(library)
    assert z_score(port(module, SHOTS), SHOTS) < 5


def test_repaired_numpy_estimates_pi():
    rng = np.random.default_rng(7)
    assert z_score(pi_ports.pi_numpy_single(SHOTS, rng), SHOTS) < 5
    assert z_score(pi_ports.pi_numpy_double(SHOTS), SHOTS) < 5


def test_counts_agree_on_the_same_points():
    x, y = np.random.default_rng(7).random((2, SHOTS), np.float32)
    hits = int(graphs.count_inside(tf.constant(x), tf.constant(y)))
    assert hits == pi_ports.count_numpy(x, y)
    assert 0 < hits < SHOTS
