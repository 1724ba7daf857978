"""The ports on a device that they are given."""

import pytest

from cases import tensorflow_or_skip, torch_or_skip
from onthefly.kernels import pi_ports_device as on_device
from onthefly.kernels import z_score

LARGE = 200_000


def test_ports_run_on_the_device_that_is_asked_for():
    torch, tf = torch_or_skip(), tensorflow_or_skip()
    estimates = [
        on_device.device_torch(torch, LARGE, "cpu"),
        on_device.around_tensorflow(tf, LARGE, "/CPU:0"),
    ]
    assert all(z_score(pi, LARGE) < 5 for pi in estimates)
    with pytest.raises(RuntimeError, match="meta"):
        on_device.device_torch(torch, 10, "meta")
