"""What a device is timed with, in the simulator."""

import types

import pytest

from onthefly.experiments.gpu import kernel_timings
from onthefly.kernels import pi_cuda, pi_cuda_float32, z_score
from onthefly.tools import occupancy


def test_calls_from_the_host_estimate_pi(sim):
    states = pi_cuda.states(1, 7)
    assert z_score(sim.ask(pi_cuda.pi_talk, 3, 4, 5), 60) < 5
    for way in (pi_cuda.pi_cuda, pi_cuda_float32.pi_cuda_float32):
        assert z_score(sim.ask(way, 50, states, 2), 50) < 5


@pytest.mark.parametrize(
    ("experiment", "arguments", "options", "series"),
    [
        ("sums", [], {"sizes": [1], "streams": 32, "block": 32}, 5),
        ("precision", [9], {"streams": 32, "block": 32}, 3),
        ("calls", [], {"sizes": [2, 3], "blocks": 1, "threads": 2}, 8),
    ],
)
def test_each_experiment_runs(sim, experiment, arguments, options, series):
    function = getattr(kernel_timings, experiment)
    times = sim.ask(function, *arguments, budget=0.1, **options)
    assert len(times) == series
    assert all(value >= 0 for s in times for value in s.values)


class Kernel:
    """A kernel as Numba compiles it: with so many registers."""

    def __init__(self, registers, shared=0):
        self._made = types.SimpleNamespace(
            regs_per_thread=registers, shared_mem_per_block=shared
        )
        self.overloads = {}

    def __getitem__(self, shape):
        def launch(shots, *arrays):
            assert shots == 0
            self.overloads["signature"] = self._made

        return launch


@pytest.fixture
def h200(monkeypatch):
    """A device that is never there; arrays stay where they are."""
    limits = occupancy.KNOWN["H200 (9.0)"]
    cuda = types.SimpleNamespace(
        get_current_device=lambda: limits, to_device=lambda array: array
    )
    monkeypatch.setattr(kernel_timings, "cuda", cuda)
    monkeypatch.setattr(occupancy, "present", lambda device: device)
    return limits


@pytest.mark.parametrize(
    ("kernels", "blocks"),
    [
        ([Kernel(31)], 8),
        ([Kernel(34)], 6),
        ([Kernel(28), Kernel(34)], 6),  # the greediest decides
        ([Kernel(31, 50_000)], 4),
    ],
)
def test_a_full_device_holds_every_thread_of_the_launch(
    h200, kernels, blocks
):
    assert kernel_timings.held(kernels) == 132 * blocks * 256


def test_the_best_launch_is_named_with_its_gain(sim):
    shapes = {"blocks": (1, 40), "threads": (2, 25)}
    sweep = sim.ask(kernel_timings.launches, 9, 0.1, **shapes)
    name, blocks, gain = kernel_timings.best_launch(sweep)
    assert sweep.seconds(name, blocks).value == min(
        sweep.seconds(s.name, s.size).value for s in sweep
    )
    assert gain.value >= 1 and gain.unit == "×"
