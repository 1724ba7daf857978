"""π by Dask: graphs, threads, crashes that are survived, a real cluster."""

import mmap
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import dask
import numpy as np
import psutil
import pytest

from cases import bad_shots
from onthefly import figures, models
from onthefly.experiments.dask import tasks as dask_tasks
from onthefly.experiments.dask import trials
from onthefly.experiments.memory import faults
from onthefly.kernels import pi_dask, pi_limit, sigmas, split
from onthefly.kernels.pi_numba import pi_numba
from onthefly.kernels.pi_python import pi_python


@pytest.fixture(scope="module")
def client():
    with pi_dask.cluster(2) as client:
        yield client


# --- threads ---------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 3, 8])
def test_a_graph_has_a_node_a_part_and_their_mean(parts):
    nodes, edges = pi_dask.nodes_edges(pi_dask.graph(pi_python, 999, parts))
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
            pi_dask.pi_pool(pi_numba, shots, pool, threads),
            pi_dask.pi_series(pi_numba, shots, threads),
        ):
            assert sigmas(found, shots) < 5


def test_the_mean_weighs_parts_by_their_shots():
    sizes = split(10, 3)
    assert pi_dask.mean([4.0, 2.0, 1.0], sizes) == pytest.approx(2.5)
    seen = []
    pi_dask.pi_series(lambda n: seen.append(n) or 3.0, 10, 3)
    assert seen == sizes


def test_parts_never_outnumber_the_shots():
    assert 0 <= pi_dask.pi_delayed(pi_python, 2, 8) <= 4


@bad_shots
def test_threads_refuse_bad_shots(shots, error):
    with ThreadPoolExecutor(1) as pool:
        for call in (
            lambda: pi_dask.pi_delayed(pi_python, shots),
            lambda: pi_dask.pi_pool(pi_python, shots, pool),
            lambda: pi_dask.pi_series(pi_python, shots),
        ):
            with pytest.raises(error, match="shots"):
                call()


# --- streams ---------------------------------------------------------------


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
        assert sigmas(4 * found / shots, shots) < 5


# --- in place --------------------------------------------------------------


def test_a_lock_or_one_thread_loses_nothing():
    assert dask_tasks.lost(2, threading.Lock(), 50)[0] == 0
    assert dask_tasks.lost(1, nullcontext(), 50) == (0, 2 * 50 * 100_000)


def test_a_task_that_adds_in_place_changes_its_answer():
    for task, expected in (
        (dask_tasks.add_one, (1, 2, 2)),
        (dask_tasks.plus_one, (1, 1, 0)),
    ):
        wrapped = dask.delayed(task)
        assert expected == dask_tasks.twice(
            lambda a, f=wrapped: f(a).compute(scheduler="synchronous")
        )


def test_stages_are_those_of_one_call():
    jobs = dask_tasks.stages([3])
    assert len(jobs["make nodes"](3)) == 3
    joined = jobs["join them"](3)
    assert len(joined.__dask_graph__()) == 4
    assert jobs["schedule"](3) is None
    assert jobs["all of delayed"](3) is None


def test_calls_counts_what_one_more_task_costs():
    def job(tasks):
        for _ in range(tasks):
            dask_tasks.nothing()

    assert dask_tasks.calls(job) == 1


# --- processes that may die ------------------------------------------------


def test_a_crash_and_a_freeze_are_told_apart():
    before = psutil.Process().children()
    found = trials.trials(
        ["crash", "freeze"], [2], limit={"crash": 60, "freeze": 3}
    )
    assert (found["crash"]["end"], found["crash"]["code"]) == ("SIGSEGV", -11)
    assert (found["freeze"]["end"], found["freeze"]["code"]) == (
        "frozen",
        None,
    )
    assert set(psutil.Process().children()) <= set(before)


def test_a_library_reports_each_thread_count():
    pytest.importorskip("torch")
    found = trials.trials(["torch"], [1, 2], shots=10_000, rounds=2)
    result = found["torch"]
    assert result["end"] in ("completed", "frozen"), result["error"]
    assert result["done"]
    for (_, threads, estimates), expected in zip(
        result["done"], [1, 2], strict=result["end"] == "completed"
    ):
        assert threads == expected
        assert all(sigmas(p, 10_000) < 5 for p in estimates)


def test_a_failure_is_not_taken_for_a_freeze():
    found = trials.trials(["no such library"], [1])
    result = found["no such library"]
    assert result["end"] == "failed"
    assert "KeyError" in result["error"]


# --- the cluster -----------------------------------------------------------


def test_the_cluster_estimates_pi(client):
    found = pi_dask.pi_cluster(client, 10**6 + 1, seed=3)
    assert sigmas(found, 10**6 + 1) < 5
    assert found == pi_dask.pi_cluster(client, 10**6 + 1, seed=3)
    sizes = enumerate(split(10**6 + 1, 8))
    here = sum(pi_dask.task(place, n, seed=3)[0] for place, n in sizes)
    assert found == 4.0 * here / (10**6 + 1)


@bad_shots
def test_the_cluster_refuses_bad_shots(client, shots, error):
    with pytest.raises(error, match="shots"):
        pi_dask.pi_cluster(client, shots)


def test_more_tasks_than_workers_and_than_shots(client):
    assert sigmas(pi_dask.pi_cluster(client, 10**5, tasks=33), 10**5) < 5
    assert 0 <= pi_dask.pi_cluster(client, 3, tasks=8) <= 4


def test_futures_run_in_other_processes(client):
    found = client.gather(client.map(dask_tasks.spot, range(16), pure=False))
    assert os.getpid() not in {pid for pid, _ in found}


def test_a_worker_changes_what_it_holds(client):
    assert dask_tasks.in_place(client, np.zeros(1)) == (1.0, 0.0)
    made = client.submit(np.zeros, 1, pure=False)
    assert dask_tasks.in_place(client, made)[0] == 1.0


def test_all_sockets_are_local(client):
    found = pi_dask.listening()
    pids = {pid for pid, _, _ in found}
    assert len(pids) >= 3  # the scheduler's process and two workers
    assert {address for _, address, _ in found} == {"127.0.0.1"}


ENDING = """
import sys
import psutil
from onthefly.kernels import pi_dask

if __name__ == "__main__":
    try:
        with pi_dask.cluster(2) as client:
            print(client.submit(pi_dask.task, 0, 1000).result() != [])
            {failure}
    except ZeroDivisionError:
        print("failed")
    left = psutil.Process().children(recursive=True)
    helper = "from multiprocessing.resource_tracker import main"
    left = [p for p in left if helper not in " ".join(p.cmdline())]
    print(left, pi_dask.listening())
"""


@pytest.mark.parametrize("failure", ["pass", "1 / 0"])
def test_the_end_leaves_nothing(tmp_path, failure):
    """From another folder, and without a line on stderr.

    The run is over when no process holds its output: the helper of
    multiprocessing has ended, too.
    """
    script = tmp_path / "ending.py"
    script.write_text(ENDING.format(failure=failure))
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": pi_dask.NOTEBOOKS,
            "TMPDIR": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    lines = done.stdout.split("\n")
    assert lines[0] == "True"
    assert lines[-2] == "[] set()"
    assert ("failed" in lines) == (failure != "pass")
    assert (done.returncode, done.stderr) == (0, "")
    assert [p.name for p in tmp_path.iterdir()] == ["ending.py"]


# --- the lab ---------------------------------------------------------------


def test_a_graph_is_drawn_from_nodes_and_edges():
    nodes = {1: "x", 2: "y", 3: "sum", 4: "root"}
    edges = [(1, 3), (2, 3), (3, 4), (1, 4)]
    chart = figures.graph(nodes, edges, {1: "input", 2: "input"})
    depends = {row[1]: row[3] for row in chart.rows}
    assert depends == {"x": "", "y": "", "sum": "1, 2", "root": "1, 3"}
    text = figures.svg(chart, "graph")
    assert all(f">{label}</text>" in text for label in nodes.values())
    assert "input" in text


@pytest.mark.parametrize(
    ("nodes", "edges", "match"),
    [
        ({}, [], "no nodes"),
        ({1: "a"}, [(1, 2)], "no such node"),
        ({1: "a", 2: "b"}, [(1, 2), (2, 1)], "cycle"),
    ],
)
def test_what_is_no_graph_is_refused(nodes, edges, match):
    with pytest.raises(ValueError, match=match):
        figures.graph(nodes, edges)


def test_the_root_mean_square_covers_the_truth():
    rng = np.random.default_rng(2018)
    found = [models.root_mean_square(rng.normal(0, 2, 5)) for _ in range(400)]
    covered = sum(q.low <= 2 <= q.high for q in found)
    assert 360 <= covered <= 398  # 95 % of 400, give or take four sigma
    with pytest.raises(ValueError, match="list"):
        models.root_mean_square([])


def test_page_faults_of_a_call_are_counted():
    size = 8 * 2**20  # mapped anew at each call, and touched page by page

    def touch():
        with mmap.mmap(-1, size) as memory:
            if hasattr(mmap, "MADV_NOHUGEPAGE"):
                memory.madvise(mmap.MADV_NOHUGEPAGE)
            for place in range(0, size, mmap.PAGESIZE):
                memory[place] = 1

    pages = size // mmap.PAGESIZE
    assert pages <= faults.of_call(touch) < 1.2 * pages
    assert faults.of_call(int) < 10
