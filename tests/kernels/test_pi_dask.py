"""π by Dask: tasks with streams of their own, on a real cluster."""

import numpy as np
import pytest

from onthefly.experiments.dask import clusters
from onthefly.kernels import split, z_score
from onthefly.kernels.pi import pi_dask, pi_limit


@pytest.fixture(scope="module")
def client():
    with clusters.cluster(2) as client:
        yield client


def test_a_state_is_that_of_the_spawned_sequence():
    children = np.random.SeedSequence(5).spawn(3)
    for place, child in enumerate(children):
        expected = child.generate_state(1, np.uint64)[0]
        assert pi_dask.state(5, place) == expected


def test_streams_differ_and_repeat():
    assert len({pi_dask.state(1, place) for place in range(60)}) == 60
    hits = [pi_dask.task(place, 10**5, seed=1) for place in range(4)]
    assert hits == [pi_dask.task(p, 10**5, seed=1) for p in range(4)]
    assert len(set(hits)) > 1


def test_a_task_counts_the_blocks_of_its_stream():
    """More than a block, each with a key of its own."""
    start = pi_dask.state(7, 2)
    keys = [pi_limit.key_of(start, block) for block in (0, 1)]
    expected = pi_limit.hits_int(pi_limit.BLOCK, keys[0])
    expected += pi_limit.hits_int(1000, keys[1])
    assert pi_dask.task(2, pi_limit.BLOCK + 1000, seed=7) == expected


def test_the_cluster_estimates_pi(client):
    pi = pi_dask.pi_cluster(client, 10**6 + 1, seed=3)
    assert z_score(pi, 10**6 + 1) < 5
    sizes = enumerate(split(10**6 + 1, 8))
    here = sum(pi_dask.task(place, n, seed=3) for place, n in sizes)
    assert pi == 4.0 * here / (10**6 + 1)


def test_more_tasks_than_workers_and_than_shots(client):
    assert z_score(pi_dask.pi_cluster(client, 10**5, tasks=33), 10**5) < 5
    assert 0 <= pi_dask.pi_cluster(client, 3, tasks=8) <= 4
