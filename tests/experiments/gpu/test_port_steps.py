"""Steps of a port that are left out, and lines that a library refuses."""

import types

import numpy as np

from cases import torch_or_skip
from onthefly.experiments.gpu import port_steps
from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_numpy_printed, pi_ports

SHOTS = 100_000
PROGRAMS = pi_ports.port_numpy, pi_numpy_printed.pi_numpy_printed


def test_numpy_in_its_own_place_refuses_nothing():
    for program in PROGRAMS:
        tried = port_steps.swapped(program, np, SHOTS, np.asarray)
        assert tried["refused"] == []
        assert z_score(tried["pi"], SHOTS) < 5


def test_a_line_that_a_library_lacks_is_named_and_the_rest_runs():
    """A stand-in without `ones`, whose numbers NumPy does not take."""

    def refuse(x):
        raise TypeError("no conversion")

    library = types.SimpleNamespace(**vars(np))
    del library.ones
    tried = port_steps.swapped(PROGRAMS[1], library, SHOTS, np.asarray)
    assert tried["refused"] == ["ones = np.ones(shots, dtype=np.float64)"]
    assert z_score(tried["pi"], SHOTS) < 5
    library.count_nonzero = refuse
    tried = port_steps.swapped(PROGRAMS[1], library, SHOTS, np.asarray)
    assert len(tried["refused"]) == 2


def test_each_step_to_pytorch_is_needed_but_for_a_device_around():
    torch = torch_or_skip()
    before = torch.get_default_dtype()
    outcomes = port_steps.left_out(torch)
    assert torch.get_default_dtype() == before
    assert outcomes["nothing"] == "meta, torch.float64"
    assert outcomes["device options"] == "cpu, torch.float64"
    assert outcomes["a global type"] == "meta, torch.float32"
    assert outcomes[port_steps.AROUND] == outcomes["nothing"]
    assert port_steps.needed(outcomes) == list(port_steps.STEPS)
