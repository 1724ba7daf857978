"""A job that fails in series, in threads, in processes."""

import pytest

from onthefly.experiments.launch import variants


@pytest.mark.parametrize("name", ["series", "threads", "processes"])
def test_a_failure_is_no_speed(name):
    with pytest.raises(TypeError):
        variants.ways(abs)[name]("x")
