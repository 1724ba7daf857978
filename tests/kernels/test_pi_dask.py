"""π by Dask: graphs in threads, and tasks on a real cluster."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cases import bad_shots
from onthefly.experiments.dask import clusters, tasks
from onthefly.kernels import pi_dask, pi_limit, pi_pool, split, z_score
from onthefly.kernels.pi_numba import pi_numba
from onthefly.kernels.pi_python import pi_python


@pytest.fixture(scope="module")
def client():
    with clusters.cluster(2) as client:
        yield client


@pytest.mark.parametrize("parts", [1, 3, 8])
def test_a_graph_has_a_node_a_part_and_their_mean(parts):
    nodes, edges = tasks.nodes_edges(pi_dask.graph(pi_python, 999, parts))
    assert sorted(nodes.values()) == ["mean", *["pi_python"] * parts]
    assert len({end for _, end in edges}) == 1
    assert {nodes[start] for start, _ in edges} == {"pi_python"}
    assert len(edges) == parts


@pytest.mark.parametrize("threads", [1, 3, 4 * (os.cpu_count() or 1)])
def test_each_way_estimates_pi(threads):
    shots = 200_001
    with ThreadPoolExecutor(threads) as pool:
        for found in (
            pi_dask.pi_delayed(pi_numba, shots, threads),
            pi_pool.pi_pool(pi_numba, shots, pool, threads),
            pi_pool.pi_series(pi_numba, shots, threads),
        ):
            assert z_score(found, shots) < 5


def test_parts_never_outnumber_the_shots():
    assert 0 <= pi_dask.pi_delayed(pi_python, 2, 8) <= 4


@bad_shots
def test_threads_refuse_bad_shots(shots, error):
    with ThreadPoolExecutor(1) as pool:
        for call in (
            lambda: pi_dask.pi_delayed(pi_python, shots),
            lambda: pi_pool.pi_pool(pi_python, shots, pool),
            lambda: pi_pool.pi_series(pi_python, shots),
        ):
            with pytest.raises(error, match="shots"):
                call()


def test_a_state_is_that_of_the_spawned_sequence():
    children = np.random.SeedSequence(5).spawn(3)
    for place, child in enumerate(children):
        expected = child.generate_state(1, np.uint64)[0]
        assert pi_dask.state(5, place) == expected
        for run, grandchild in enumerate(child.spawn(2)):
            expected = grandchild.generate_state(1, np.uint64)[0]
            assert pi_dask.state(5, place, run) == expected


def test_streams_differ_and_repeat():
    starts = {pi_dask.state(1, a, b) for a in range(30) for b in (0, 1)}
    assert len(starts) == 60
    hits = [pi_dask.task(place, 10**5, seed=1)[0] for place in range(4)]
    assert hits == [pi_dask.task(p, 10**5, seed=1)[0] for p in range(4)]
    assert len(set(hits)) > 1


def test_a_task_counts_the_blocks_of_its_streams():
    """More than a block, each with the key of its run's start."""
    shots = pi_limit.BLOCK + 1000
    for run, found in enumerate(pi_dask.task(2, shots, runs=2, seed=7)):
        start = np.uint64(pi_dask.state(7, 2, run))
        keys = [pi_limit.key_of(start, block) for block in (0, 1)]
        expected = pi_limit.hits_int(pi_limit.BLOCK, keys[0])
        expected += pi_limit.hits_int(1000, keys[1])
        assert found == expected
        assert z_score(4 * found / shots, shots) < 5


def test_the_cluster_estimates_pi(client):
    found = pi_dask.pi_cluster(client, 10**6 + 1, seed=3)
    assert z_score(found, 10**6 + 1) < 5
    assert found == pi_dask.pi_cluster(client, 10**6 + 1, seed=3)
    sizes = enumerate(split(10**6 + 1, 8))
    here = sum(pi_dask.task(place, n, seed=3)[0] for place, n in sizes)
    assert found == 4.0 * here / (10**6 + 1)


@bad_shots
def test_the_cluster_refuses_bad_shots(client, shots, error):
    with pytest.raises(error, match="shots"):
        pi_dask.pi_cluster(client, shots)


def test_more_tasks_than_workers_and_than_shots(client):
    assert z_score(pi_dask.pi_cluster(client, 10**5, tasks=33), 10**5) < 5
    assert 0 <= pi_dask.pi_cluster(client, 3, tasks=8) <= 4
