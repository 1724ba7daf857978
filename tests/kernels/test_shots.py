"""Shots: which numbers are taken, and how they are shared."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from onthefly.kernels import check_shots, split


@given(st.integers(1, 10**9), st.integers(1, 100))
def test_split_drops_nothing(shots, parts):
    sizes = split(shots, parts)
    assert sum(sizes) == shots and len(sizes) == parts
    assert max(sizes) - min(sizes) <= 1


def test_shots_may_be_numpy_integers():
    assert check_shots(np.int64(5)) == 5
