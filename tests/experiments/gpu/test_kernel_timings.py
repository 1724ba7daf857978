"""What a device is timed with, in the simulator."""

import pytest

from onthefly.experiments.gpu import kernel_timings
from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_cuda, pi_cuda_float32


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
