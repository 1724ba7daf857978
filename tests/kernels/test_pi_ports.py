"""One program in several libraries, and on a device that they are given."""

import numpy as np
import pytest

from cases import tensorflow_or_skip, torch_or_skip
from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_ports, pi_ports_device
from onthefly.kernels.pi import pi_tensorflow_session as graphs
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


def test_ports_run_on_the_device_that_is_asked_for():
    torch, tf = torch_or_skip(), tensorflow_or_skip()
    by_torch = pi_ports_device.device_torch(torch, SHOTS, "cpu")
    by_tf = pi_ports_device.around_tensorflow(tf, SHOTS, "/CPU:0")
    assert z_score(by_torch, SHOTS) < 5 and z_score(by_tf, SHOTS) < 5
    with pytest.raises(RuntimeError, match="meta"):
        pi_ports_device.device_torch(torch, 10, "meta")
