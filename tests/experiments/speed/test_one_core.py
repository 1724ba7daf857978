"""The ways of one core: right answers, and what is missing is left out."""

import types

import numpy as np
import pytest

from onthefly.experiments.speed import one_core
from onthefly.kernels import pi_limit, pi_limit_c, z_score

KEY = pi_limit.key_of(np.uint64(7), 3)
LATER = {"TensorFlow, XLA"}  # its threads are set before it is used
needs_cc = pytest.mark.skipif(
    bool(pi_limit_c.missing()), reason="no C compiler"
)


@pytest.mark.parametrize("name", sorted(one_core.LIBRARIES.keys() - LATER))
def test_each_library_estimates_pi(name):
    assert z_score(one_core.LIBRARIES[name](10**4), 10**4) < 5


@needs_cc
def test_kernels_estimate_pi_and_c_counts_the_same():
    twins = pi_limit_c.library()
    for name, pi in one_core.kernels(KEY, twins).items():
        assert z_score(pi(10**6), 10**6) < 5, name
    assert one_core.same_hits(twins, KEY, [1, 63, 1000])
    wrong = types.SimpleNamespace(
        hits_int=lambda n, key: -1,
        hits_int_simd=lambda n, key: -1,
        hits_lanes_simd=lambda n, key: -1,
    )
    assert not one_core.same_hits(wrong, KEY, [1])
