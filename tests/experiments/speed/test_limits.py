"""Loops beside the limit of their instructions."""

import re

import pytest

from cases import skip_if
from onthefly.experiments.speed import limits, throughput
from onthefly.kernels.pi import pi_limit
from onthefly.measure.quantity import Quantity
from onthefly.tools import assembly

needs_avx2 = skip_if(throughput.missing())


@needs_avx2
@pytest.mark.parametrize("kind", pi_limit.KINDS)
def test_the_loop_is_the_one_in_the_widest_vectors(kind):
    # Not of the whole function: LLVM keeps to 256 bits in loops where a
    # processor prefers them, and clears memory with 512 all the same.
    whole = assembly.of(pi_limit.KINDS[kind]).instructions
    compares = tuple(x for x in whole if re.match(limits.COMPARE, x))
    loop = limits.loops()[f"Numba, {kind}"]
    used = assembly.Function("loop", loop.lines)
    assert used.bits() == assembly.Function("compares", compares).bits()


@needs_avx2
def test_instructions_of_a_shot_and_their_limit():
    loop = assembly.Loop(
        (
            "a:",
            "vpmaddwd %ymm1, %ymm1, %ymm2",
            "vpcmpgtd %ymm2, %ymm0, %ymm3",
            "jne a",
        )
    )
    free = limits.freed("eight shots", loop)
    assert (free.per_shot, free.multiply_adds) == (0.25, 1)
    second = Quantity.exact(limits.TURNS * free.count, "s")
    assert free.an_instruction(second).value == 1
    assert free.a_shot(second).value == 0.25
    assert list(free.renamed) == list(loop.vector)


@pytest.mark.parametrize(
    ("compare", "counts"),
    [
        ("vpcmpgtd %ymm2, %ymm0, %ymm3", 8),
        ("vpcmpltd %zmm2, %zmm0, %k0", 16),
        ("vcmpltps %zmm2, %zmm0, %k0", 16),
        ("vpcmpeqd %ymm2, %ymm0, %ymm3", 0),
    ],
)
def test_a_comparison_of_either_kind_stands_for_a_shot(compare, counts):
    loop = assembly.Loop(("a:", compare, "jne a"))
    assert loop.lanes(limits.COMPARE, 32) == counts
