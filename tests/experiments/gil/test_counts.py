"""Counts in threads, right and wrong."""

import os

import numpy as np
import pytest

from onthefly.experiments.gil import count_standalone


@pytest.mark.parametrize("threads", [1, 3, 4 * (os.cpu_count() or 1)])
def test_wrong_counts_are_counted(threads):
    kinds = {"right": int, "wrong": lambda size: size - 1}
    tried = count_standalone.try_counts(threads, 0.01, kinds, [50])
    counts = tried["right"]["counts"]
    assert counts and counts % count_standalone.TASKS == 0
    assert tried["right"]["wrong"] == 0
    assert tried["wrong"]["wrong"] == counts
    assert tried["wrong"]["seen"] == [[50, 49]] * 5


@pytest.mark.parametrize("threads", [1, 8])
def test_a_counter_that_is_not_shared_loses_nothing(threads):
    for name, result in count_standalone.try_loops(threads, 0.2).items():
        assert result["runs"]
        if threads == 1 or "shared" not in name:
            assert not result["wrong"]


@pytest.mark.parametrize("fresh", [True, False])
def test_an_unfinished_count_is_neither_empty_nor_full(monkeypatch, fresh):
    """What is seen is chance; here it is given."""
    seen = iter([0, 1, 77, 76, 40])
    monkeypatch.setattr(np, "count_nonzero", lambda _: next(seen))
    assert count_standalone.unfinished(77, 5, fresh) == [1, 76, 40]
