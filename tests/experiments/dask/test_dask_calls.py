"""Calls as tasks: every way does the same work."""

import threading
import time

import numpy as np

from onthefly.experiments.dask import calls
from onthefly.kernels import z_score
from onthefly.kernels.pi import pi_numpy as arrays


def test_three_tasks_agree_and_run_one_at_a_time():
    seen, most = [], []

    def call(size):
        seen.append(size)
        time.sleep(0.01)
        most.append(len(seen))
        seen.remove(size)
        return size + 1

    for way in calls.three_tasks(call).values():
        assert way(7) == [8, 8, 8]
    assert max(most) == 1


def test_streams_run_in_series_and_in_threads():
    used = set()

    def noted(shots, stream):
        used.add(threading.get_ident())
        return arrays.pi_numpy(shots, stream)

    ways = calls.per_stream({"own": (noted, arrays.spawn(1, 3))})
    estimates = ways["own"](10_000)
    assert used == {threading.get_ident()}
    estimates += ways["own, threads"](10_000)
    assert len(used) > 1
    assert len(estimates) == 6
    assert all(z_score(pi, 10_000) < 5 for pi in np.ravel(estimates))
