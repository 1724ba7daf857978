"""CUDA kernels in Numba's simulator against the same functions on the
processor."""

import numpy as np
import pytest
from numba.cuda.random import uint64_to_unit_float32
from scipy import stats

from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_cuda, pi_cuda_float32, pi_cuda_sums

STATES = pi_cuda.states(7, 64)


@pytest.mark.parametrize("shape", [(4, 5), (5, 4), (1, 32)])
def test_each_thread_computes_what_the_processor_computes(sim, shape):
    pi = np.ones(20)
    sim.launch(pi_cuda.pi_each, *shape, 9, pi, STATES[:20].copy())
    states = STATES.copy()
    want = [4 * pi_cuda.hits_thread(9, states, k) / 9 for k in range(20)]
    assert pi.tolist() == want


@pytest.mark.parametrize("shots", [1, 14, 15, 16, 1001])
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (2, 32)])
def test_any_launch_does_any_number_of_shots(sim, shots, shape):
    hits = np.zeros(15, np.int64)
    sim.launch(pi_cuda.hits_stride, *shape, shots, hits, STATES[:15].copy())
    used = min(15, shape[0] * shape[1])
    want = pi_cuda.hits_streams(shots, STATES[:used].copy())
    assert hits[:used].tolist() == want.tolist()
    assert not hits[used:].any()
    shares = [pi_cuda.share(shots, k, used) for k in range(used)]
    assert sum(shares) == shots and max(shares) - min(shares) <= 1


@pytest.mark.parametrize("way", pi_cuda_sums.WAYS)
@pytest.mark.parametrize("shots", [1, 45, 300])
def test_each_way_adds_up_all_hits(sim, way, shots):
    want = pi_cuda.hits_streams(shots, STATES.copy()).sum()
    total = pi_cuda_sums.hits_sum(
        way, shots, STATES.copy(), 2, 32, sim.launch
    )
    assert total == want


@pytest.mark.parametrize("threads", [1, 5, 31, 33])
def test_the_tree_takes_blocks_of_any_size(sim, threads):
    want = pi_cuda.hits_streams(100, STATES[:threads].copy()).sum()
    total = pi_cuda_sums.hits_sum(
        "shared tree", 100, STATES[:threads].copy(), 1, threads, sim.launch
    )
    assert total == want


def test_blocks_that_a_way_cannot_add_are_refused(sim):
    for way, threads in (("warp shuffle", 25), ("slots", 2048)):
        with pytest.raises(ValueError, match=f"no block of {threads}"):
            pi_cuda_sums.hits_sum(way, 9, STATES, 1, threads, sim.launch)


@pytest.mark.parametrize("make", [pi_cuda.states, pi_cuda.states_hashed])
def test_streams_differ_and_estimate_pi(make):
    states, shots = make(3, 500), 500_000
    assert len(np.unique(states)) == 500
    hits = pi_cuda.hits_streams(shots, states)
    assert z_score(4 * hits.sum() / shots, shots) < 5
    rng = np.random.default_rng(1)
    binomial = rng.binomial(1000, np.pi / 4, 500)
    assert stats.epps_singleton_2samp(hits, binomial).pvalue > 1e-6
    assert hits.tolist() == (
        pi_cuda.hits_streams(shots, make(3, 500)).tolist()
    )
    assert make(4, 500).tolist() != make(3, 500).tolist()


@pytest.mark.parametrize(
    "kernel", [pi_cuda_float32.hits_float32, pi_cuda_float32.hits_single]
)
def test_single_precision_estimates_pi(sim, kernel):
    hits, shots = np.zeros(64, np.int64), 5000
    sim.launch(kernel, 2, 32, shots, hits, STATES.copy())
    assert z_score(4 * hits.sum() / shots, shots) < 5
    again = np.zeros(64, np.int64)
    sim.launch(kernel, 2, 32, shots, again, STATES.copy())
    assert hits.tolist() == again.tolist()


def test_our_float32_stays_below_one():
    state = STATES[:1].copy()
    state["s0"], state["s1"] = 2**64 - 1, 0  # their sum is the next word
    assert pi_cuda_float32.unit_float32(state, 0) == np.float32(1 - 2**-24)
    assert uint64_to_unit_float32(np.uint64(2**63)) == 0.5
