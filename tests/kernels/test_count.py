"""The counting loop in threads and processes."""

from multiprocessing import get_context

import pytest

from onthefly.kernels import count


def test_what_ends_a_thread_is_raised(capfd):
    with pytest.raises(TypeError, match="interpreted as an integer"):
        count.threads("no steps")
    assert capfd.readouterr().err == ""


def test_a_failed_worker_is_no_speed():
    workers = [get_context("fork").Process(target=count.add, args=("x",))]
    with pytest.raises(RuntimeError, match="1 of 1 workers failed"):
        count.run_all(workers)


def test_every_worker_does_the_work(monkeypatch):
    done = []
    monkeypatch.setattr(count, "add", done.append)
    count.series(1000, 3)
    count.threads(1000, 3)
    assert done == [1000] * 6
