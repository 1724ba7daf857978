"""The limit that is measured with a loop's own instructions."""

from cases import skip_if
from onthefly.experiments.speed import throughput
from onthefly.measure.clock import measure
from onthefly.measure.timings import Timings

needs_avx2 = skip_if(throughput.missing())
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
