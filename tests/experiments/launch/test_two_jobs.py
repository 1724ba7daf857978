"""A job that fails in series, in threads, in processes."""

import pytest

from onthefly.experiments.launch import two_jobs


@pytest.mark.parametrize("name", ["series", "threads", "processes"])
def test_a_failure_is_no_speed(name):
    with pytest.raises(TypeError):
        two_jobs.ways(abs)[name]("x")
