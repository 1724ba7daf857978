"""The counting loop in threads, processes and pools."""

from multiprocessing import get_context

import pytest

from onthefly.kernels import count


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_processes_start_every_way(method):
    count.processes(1000, method=method)
    count.launch_process(method)


def test_what_ends_a_thread_is_raised(capfd):
    with pytest.raises(TypeError, match="interpreted as an integer"):
        count.threads("no steps")
    assert capfd.readouterr().err == ""


def test_a_failed_worker_is_no_speed():
    workers = [get_context("fork").Process(target=count.add, args=("x",))]
    with pytest.raises(RuntimeError, match="1 of 1 workers failed"):
        count.run_all(workers)


def test_every_worker_does_the_work(monkeypatch):
    with (
        count.process_pool(2) as processes,
        pytest.raises(TypeError, match="interpreted as an integer"),
    ):
        count.pooled(processes, "no steps")
    with count.thread_pool(2) as pool:
        done = []
        monkeypatch.setattr(count, "add", done.append)
        count.series(1000, 3)
        count.threads(1000, 3)
        count.pooled(pool, 1000, 3)
    assert done == [1000] * 9
