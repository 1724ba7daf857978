"""Tasks of Dask, and what they change."""

import dask
import numpy as np
import pytest

from onthefly.experiments.dask import clusters, tasks


@pytest.fixture(scope="module")
def client():
    with clusters.cluster(2) as client:
        yield client


def test_a_task_that_adds_in_place_changes_its_answer():
    for task, expected in (
        (tasks.add_one, (1, 2, 2)),
        (tasks.plus_one, (1, 1, 0)),
    ):
        wrapped = dask.delayed(task)
        assert expected == tasks.twice(
            lambda a, f=wrapped: f(a).compute(scheduler="synchronous")
        )


def test_a_worker_changes_what_it_holds(client):
    assert tasks.in_place(client, np.zeros(1)) == (1.0, 0.0)
    made = client.submit(np.zeros, 1, pure=False)
    assert tasks.in_place(client, made)[0] == 1.0
