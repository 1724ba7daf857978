"""A job done twice: in series, in threads, in processes."""

import os

import pytest

from onthefly.experiments.launch import variants


def pair(size):
    """Tell what was asked, and who answers."""
    return size, os.getpid()


def test_every_way_does_the_job_twice():
    for way in variants.ways(pair).values():
        assert [size for size, _ in way(7)] == [7, 7]


@pytest.mark.parametrize("name", ["series", "threads", "processes"])
def test_a_failure_is_no_speed(name):
    with pytest.raises(TypeError):
        variants.ways(abs)[name]("x")
