"""What a device is timed with, in the simulator."""

import pytest

from onthefly.experiments.gpu import kernel_timings
from onthefly.kernels import pi_cuda, pi_cuda_float32, z_score


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


def test_the_best_launch_is_named_with_its_gain(sim):
    shapes = {"blocks": (1, 40), "threads": (2, 25)}
    sweep = sim.ask(kernel_timings.launches, 9, 0.1, **shapes)
    name, blocks, gain = kernel_timings.best_launch(sweep)
    assert sweep.seconds(name, blocks).value == min(
        sweep.seconds(s.name, s.size).value for s in sweep
    )
    assert gain.value >= 1 and gain.unit == "×"
