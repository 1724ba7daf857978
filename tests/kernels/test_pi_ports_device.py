"""The ports on a device that they are told."""

import pytest

from cases import tensorflow_or_skip, torch_or_skip
from onthefly.kernels import pi_ports_device as on_device
from onthefly.kernels import z_score

LARGE = 200_000


def test_ports_run_where_they_are_told():
    torch, tf = torch_or_skip(), tensorflow_or_skip()
    found = [
        on_device.device_torch(torch, LARGE, "cpu"),
        on_device.around_tensorflow(tf, LARGE, "/CPU:0"),
    ]
    assert all(z_score(pi, LARGE) < 5 for pi in found)
    with pytest.raises(RuntimeError, match="meta"):
        on_device.device_torch(torch, 10, "meta")
