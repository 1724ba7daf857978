"""Who draws which numbers: threads that share a generator, or do not."""

import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import needs_gpu
from onthefly.kernels import draws, z_score
from onthefly.measure import models

CUDA = needs_gpu("torch", "cupy")


LOCKED = [k for k in draws.SHARED if k != "Numba, shared"]


@pytest.mark.parametrize("name", LOCKED)
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_a_locked_generator_deals_what_one_thread_would_draw(name, threads):
    for seed in range(3):
        way = draws.SHARED[name]
        arrays = draws.drawn(way(seed, threads), threads, 1000, calls=5)
        assert draws.dealt(arrays, way(seed, 1)(0, 5000 * threads))


@pytest.mark.parametrize("name", [*draws.SHARED, *draws.EACH])
def test_one_thread_draws_uniform_numbers(name):
    way = (draws.SHARED | draws.EACH)[name]
    (numbers,) = draws.drawn(way(3, 1), 1, 5000, calls=4)
    (again,) = draws.drawn(way(3, 1), 1, 5000, calls=4)
    assert np.array_equal(numbers, again)
    assert numbers.shape == (20_000,) and numbers.dtype == np.float64
    assert numbers.min() >= 0 and numbers.max() < 1
    assert not draws.repeats([numbers])
    counts = np.histogram(numbers, 20, (0, 1))[0]
    assert np.abs(counts - 1000).max() < 5 * math.sqrt(1000)


def test_one_seed_repeats_and_spawned_ones_do_not():
    same = draws.drawn(draws.same_seed(1, 4), 4, 500, calls=2)
    assert draws.repeats(same) == 3 * 1000
    spawned = draws.drawn(draws.spawned(1, 4), 4, 500, calls=2)
    assert not draws.repeats(spawned)
    both = spawned + draws.drawn(draws.spawned(2, 4), 4, 500, calls=2)
    assert not draws.repeats(both)


@settings(max_examples=50)
@given(st.lists(st.lists(st.integers(0, 20), max_size=20),
                min_size=1, max_size=5))  # fmt: skip
def test_repeats_are_numbers_less_different_numbers(lists):
    flat = [n for numbers in lists for n in numbers]
    arrays = [np.array(numbers, float) for numbers in lists]
    assert draws.repeats(arrays) == len(flat) - len(set(flat))


def test_chance_repeats_as_often_as_birthdays():
    rng = np.random.default_rng(0)
    counts = [draws.repeats([rng.integers(0, 2**16, 300)])
              for _ in range(300)]  # fmt: skip
    expected = draws.by_chance(300, bits=16)
    error = math.sqrt(expected / len(counts))
    assert abs(np.mean(counts) - expected) < 5 * error


@pytest.mark.parametrize("shots", [1, 3, 8, 1001])
@pytest.mark.parametrize("name", [*draws.SHARED, *draws.EACH])
def test_threads_estimate_pi_from_any_number_of_shots(name, shots):
    draw = (draws.SHARED | draws.EACH)[name](2, 8)
    estimate = draws.pi_threads(draw, shots, 8)
    hits = estimate * shots / 4
    assert hits == pytest.approx(round(hits)) and 0 <= hits <= shots
    if shots > 1000 and name != "one seed for all":
        assert z_score(estimate, shots) < 5


def test_one_seed_costs_the_root_of_the_threads():
    """The law keeps its exponent; its height tells.  The seeds are set."""
    ways = {"spawned": draws.spawned, "one seed": draws.same_seed}
    off = {}
    for name, way in ways.items():
        estimates = draws.estimates(way(11, 4), 4000, 4, 150)
        off[name] = models.root_mean_square(
            [z_score(estimate, 4000) for estimate in estimates]
        )
        assert np.std(estimates) / math.pi == pytest.approx(
            off[name].value * math.sqrt((4 - math.pi) / math.pi / 4000),
            rel=0.05,
        )
    assert off["spawned"].low < 1 < off["spawned"].high
    assert off["one seed"].low < 2 < off["one seed"].high


def test_threads_start_together_and_each_once():
    gate = threading.Barrier(5)

    def job(thread):
        gate.wait(5)  # passes only if all five run at once
        return thread

    assert draws.in_threads(job, 5) == [0, 1, 2, 3, 4]
    with pytest.raises(ZeroDivisionError):
        draws.in_threads(lambda k: 1 / (k - 1), 2)


@CUDA
def test_a_hold_keeps_every_stream_busy():
    from onthefly.kernels.draws import draws_cupy

    for name in ("CuPy, shared, null stream", "CuPy, shared, own streams"):
        way = draws_cupy.WAYS[name](1, 4)
        way.hold(0.5)
        assert not any(stream.done for stream in way.streams)
        draws_cupy.cp.cuda.Device().synchronize()
        assert all(stream.done for stream in way.streams)


@CUDA
def test_a_generator_each_never_repeats_on_the_device():
    from onthefly.kernels.draws import draws_cupy

    for name in draws_cupy.WAYS:
        row = draws_cupy.row(name, 1, threads=4, size=2**12, calls=4)
        if "each" in name or "torch" in name or "null" in name:
            assert row["drawn before"] == 0, name
    sigmas = draws_cupy.deviations(
        "CuPy Generator each, own streams", 1001, 4, 50
    )
    assert max(sigmas) < 5
