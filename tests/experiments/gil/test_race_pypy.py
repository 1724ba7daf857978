"""The race under PyPy."""

import pytest

from onthefly.experiments.gil import race_pypy


@pytest.mark.slow
def test_each_run_tells_what_it_lost():
    if not race_pypy.here():
        pytest.skip("no PyPy")
    found = race_pypy.raced("g ±= 1", 1000, 3)
    assert len(found["ends"]) == 3
    assert found["language"].startswith("3.")
