"""The limit that is measured with a loop's own instructions."""

import pytest

from onthefly.clock import measure
from onthefly.experiments.speed import limits, throughput
from onthefly.kernels import pi_limit
from onthefly.timings import Timings
from onthefly.tools import assembly

needs_avx2 = pytest.mark.skipif(
    bool(throughput.missing()), reason=throughput.missing() or "-"
)
TEXTS = (
    "vpaddd\t%ymm0, %ymm1, %ymm2",
    "vpcmpgtd\t32(%rsp), %ymm2, %ymm3",
    "vmovdqu\t%ymm3, (%rdx)",
)


def test_independent_instructions_share_no_register():
    assert throughput.independent(TEXTS) == [
        "vpaddd %ymm0, %ymm1, %ymm8",
        "vpcmpgtd %ymm7, %ymm2, %ymm9",
        "vmovdqu %ymm3, %ymm10",
    ]


@needs_avx2
def test_a_link_of_the_chain_takes_a_cycle():
    chain, links = throughput.chain()
    turning, turns = throughput.routine(("rorq $7, %rax",))  # a cycle, too
    samples = measure(
        {"chain": lambda: chain(5000), "turning": lambda: turning(5000)},
        budget=0.5,
    )
    ratio = Timings.of(samples).ratio("chain", "turning") / (links / turns)
    assert ratio.low < 1.1 and ratio.high > 0.9


@needs_avx2
def test_a_chain_takes_longer_than_independent_instructions():
    chain, waiting = throughput.chain()
    free, count = throughput.routine(
        tuple(throughput.independent(["vpaddd %ymm0, %ymm1, %ymm2"]))
    )
    turns = 5000
    samples = measure(
        {"chain": lambda: chain(turns), "free": lambda: free(turns)},
        budget=0.5,
    )
    ratio = Timings.of(samples).ratio("chain", "free") / (waiting / count)
    assert ratio.high > 1.5  # two vector units at least, on any AVX2 core


@needs_avx2
@pytest.mark.parametrize("kind", pi_limit.KINDS)
def test_a_kernels_own_instructions_run(kind):
    code = assembly.of(pi_limit.KINDS[kind])
    loop = code.hot_loop(limits.COMPARE)
    call, count = throughput.routine(
        tuple(throughput.independent(loop.vector))
    )
    assert count >= throughput.REPEATS
    call(10)
