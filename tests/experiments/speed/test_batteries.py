"""The words that TestU01 judges are the shots that the kernels count."""

import ctypes

import numpy as np
import pytest

from cases import skip_if
from onthefly.experiments.speed import aes, batteries
from onthefly.kernels.pi import pi_limit, pi_vectors
from onthefly.tools import cpp

needs_aes = skip_if(aes.missing() or cpp.missing("C"))
needs_testu01 = skip_if(aes.missing() or batteries.missing())
KERNELS = {
    "hash": lambda: pi_limit.hits_int,
    "hash, one multiplication less": lambda: pi_limit.hits_short,
    "xoroshiro128+": lambda: pi_vectors.hits_vectors,
    batteries.aes_of(aes.ROUNDS): aes.kernel,
}


def words(source, block):
    """Return the words of a block."""
    filled = np.empty(pi_limit.BLOCK, np.uint32)
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)
    fill = getattr(source, "address", None)
    call = kind(fill) if fill else source
    call(filled.ctypes.data, block)
    return filled


@needs_aes
@pytest.mark.parametrize("name", KERNELS)
def test_the_words_are_the_shots(name):
    block = 5
    h = words(batteries.sources()[name], block)
    x, y = h.view(np.int32) >> 16, (h << 16).view(np.int32) >> 16
    inside = x.astype(np.int64) ** 2 + y.astype(np.int64) ** 2 < 2**30
    key = pi_limit.key_of(np.uint64(batteries.SEED), np.uint64(block))
    assert inside.sum() == KERNELS[name]()(pi_limit.BLOCK, key)


@needs_testu01
def test_a_poor_generator_fails():
    poor = batteries.sources()["hash, one multiplication less"]
    p_values = batteries.judged(poor, "SmallCrush")
    assert len(p_values) == 15
    assert any("Gap" in name for name in batteries.failures(p_values))


def test_the_record_in_words():
    assert batteries.verdict("hash, one multiplication less") == (
        "fails 2 of 15 in SmallCrush"
    )
    one = batteries.verdict(batteries.aes_of(aes.ROUNDS))
    assert one == "passes SmallCrush and Crush"
    assert batteries.verdict("nobody's") == "–"
