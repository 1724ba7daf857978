"""The fastest kernels against each other, against C and against counting;
and the limit that is measured with their own instructions."""

import itertools
import math
import random

import numpy as np
import pytest

from cases import bad_shots
from onthefly.clock import measure
from onthefly.experiments.speed import vector_width as vectors
from onthefly.kernels import pi_limit, pi_limit_c, sigmas
from onthefly.tools import assembly

KEY = pi_limit.key_of(np.uint64(7), 3)
SIZES = (1, 63, 64, 65, 1000, 100_003)
needs_cc = pytest.mark.skipif(
    bool(pi_limit_c.missing()), reason="no C compiler"
)
needs_avx2 = pytest.mark.skipif(
    bool(assembly.supported()), reason=assembly.supported() or "-"
)


def hash32(h):
    """Hash as pi_limit.mix, in Python's unbounded integers."""
    h = (h ^ h >> 16) * 0x21F0AAAD % 2**32
    h = (h ^ h >> 15) * 0x735A2D97 % 2**32
    return h ^ h >> 15


def signed(h):
    """Return 32 bits as a signed number."""
    return h - 2**32 * (h >= 2**31)


def plain_int(shots, key):
    """Count as pi_limit.hits_int, in Python's unbounded integers."""
    hits = 0
    for k in range(1, shots + 1):
        h = hash32(k * pi_limit.STEP % 2**32 ^ key)
        x, y = (v - 2**16 * (v >= 2**15) for v in (h >> 16, h % 2**16))
        # As in 32 bits: the one corner's square wraps and counts as a hit.
        hits += x * x + y * y < 2**30 or x == y == -(2**15)
    return hits


@pytest.mark.parametrize("shots", [1, 64, 2000])
def test_the_kernel_does_what_plain_python_does(shots):
    assert pi_limit.hits_int(shots, KEY) == plain_int(shots, int(KEY))


@needs_cc
@pytest.mark.parametrize("shots", SIZES)
def test_c_counts_the_same_hits(shots):
    c = pi_limit_c.library()
    hits = pi_limit.hits_int(shots, KEY)
    assert hits == c.hits_int(shots, KEY) == c.hits_int_simd(shots, KEY)
    lanes = pi_limit.hits_lanes(shots, KEY)
    assert lanes == c.hits_lanes_simd(shots, KEY)


@pytest.mark.parametrize("kind", pi_limit.KINDS)
def test_estimates_lie_within_five_sigma(kind):
    shots = 10**6
    estimate = pi_limit.pi_limit(shots, random.Random(1), kind)
    assert sigmas(estimate, shots) < 5
    again = pi_limit.pi_limit(shots, random.Random(1), kind)
    assert estimate == again
    assert estimate != pi_limit.pi_limit(shots, random.Random(2), kind)


def test_threads_do_not_change_the_hits():
    shots = 3 * pi_limit.BLOCK + 5
    hits = pi_limit.hits_limit_threads(shots, 1, 9)
    for threads in (2, 5):  # more than blocks, more than cores
        assert hits == pi_limit.hits_limit_threads(shots, threads, 9)
    assert hits == pi_limit.hits_prange(4, shots, np.uint64(9))
    if not pi_limit_c.missing():
        assert hits == pi_limit_c.library().hits_openmp(shots, 9, 3)


def test_all_threaded_ways_agree():
    shots = 2 * pi_limit.BLOCK + 1
    ways = [
        pi_limit.pi_limit(shots, random.Random(4)),
        pi_limit.pi_limit_threads(shots, 2, random.Random(4)),
        pi_limit.pi_limit_prange(shots, random.Random(4)),
    ]
    assert len(set(ways)) == 1


@pytest.mark.parametrize(
    "pi",
    [
        pi_limit.pi_limit,
        pi_limit.pi_limit_threads,
        pi_limit.pi_limit_prange,
    ],
)
@bad_shots
def test_bad_shots_are_refused(pi, shots, error):
    with pytest.raises(error, match="shots must be"):
        pi(shots)


def test_more_shots_than_a_key_serves_are_refused():
    with pytest.raises(ValueError, match="at most 2\\^31"):
        pi_limit.pi_limit(2**31 + 1, kind="float32")


def test_the_lattice_is_counted_right():
    for bits in (3, 6):
        side = range(1 << bits)
        pairs = itertools.product(side, side)
        inside = sum(x * x + y * y < 4**bits for x, y in pairs)
        assert pi_limit.lattice_pi(bits) == 4 * inside / 4**bits
    assert abs(pi_limit.lattice_pi_int() - math.pi) < 1e-6


def test_coarse_coordinates_tend_to_their_lattice():
    shots = 10**6
    estimate = 4 * pi_limit.hits_bits(shots, KEY, 4) / shots
    centre = pi_limit.lattice_pi(4)
    assert abs(estimate - centre) < 5 * 1.7 / math.sqrt(shots)
    assert abs(estimate - math.pi) > 0.1


def test_what_rounding_costs_is_what_the_kernel_counts():
    shots = 1 << 24
    lost, gained = pi_limit.rounding(shots, KEY)
    hits = int(pi_limit.hits_float32(shots, KEY))
    key, other = int(KEY), hash32(~int(KEY) % 2**32)
    exact, part = 0, 1 << 12
    for k in range(1, part + 1):
        c = k * pi_limit.STEP % 2**32
        x, y = (signed(hash32(c ^ one)) >> 8 for one in (key, other))
        exact += x * x + y * y < 2**46
    assert pi_limit.hits_float32(part, KEY) == exact  # far from the edge
    assert 0 <= lost + gained < shots * 1e-5
    assert sigmas(4 * (hits + lost - gained) / shots, shots) < 5


def test_blocks_are_binomial_and_the_short_hash_is_not():
    """The spread of block counts tells the hashes apart."""
    size, blocks = 10**5, 10_000
    p = pi_limit.lattice_pi_int() / 4

    def spread(kernel):
        hits = pi_limit.hits_each_threads(
            kernel, blocks, size, np.uint64(0), 2
        )
        return hits.var() / (size * p * (1 - p))

    sigma = math.sqrt(2 / blocks)
    assert abs(spread(pi_limit.hits_int) - 1) < 4 * sigma
    assert abs(spread(pi_limit.hits_short) - 1) > 4 * sigma


LISTING = """\
twice:
\t.cfi_startproc
.LBB0_1:
\tmovl\t$3, %eax
.LBB0_2:
\tvpaddd\t%ymm0, %ymm1, %ymm2 # a comment
\tvpcmpgtd\t32(%rsp), %ymm2, %ymm3
\tvmovdqu\t%ymm3, (%rdx)
\taddl\t$8, %ecx
\tjne\t.LBB0_2
\tdecl\t%eax
\tjne\t.LBB0_1
\tretq
\t.size\ttwice, .-twice
"""


def test_the_innermost_loop_is_found_and_counted():
    assert len(assembly.loops(LISTING)) == 1
    loop = assembly.hot_loop(assembly.part(LISTING, "twice"), "vpcmpgt")
    assert loop.label == ".LBB0_2"
    assert loop.kinds() == {"vpaddd": 1, "vpcmpgtd": 1, "vmovdqu": 1}
    assert loop.lanes("vpcmpgtd", 32) == 8
    assert len(loop.scalar) == 2


def test_independent_instructions_share_no_register():
    loop = assembly.hot_loop(LISTING, "vpcmpgt")
    assert assembly.independent(loop.vector) == [
        "vpaddd %ymm0, %ymm1, %ymm8",
        "vpcmpgtd %ymm7, %ymm2, %ymm9",
        "vmovdqu %ymm3, %ymm10",
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: assembly.hot_loop("ret\n", "vcmp"), "no loop"),
        (lambda: assembly.part(LISTING, "thrice"), "no function 'thrice'"),
    ],
)
def test_an_assembly_without_it_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@needs_avx2
def test_a_link_of_the_chain_takes_a_cycle():
    chain, links = assembly.chain()
    turning, turns = assembly.routine(("rorq $7, %rax",))  # a cycle, too
    times = measure(
        {"chain": lambda: chain(5000), "turning": lambda: turning(5000)},
        budget=0.5,
    )
    ratio = times.ratio("chain", "turning").per(links / turns)
    assert ratio.low < 1.1 and ratio.high > 0.9


@needs_avx2
def test_a_chain_takes_longer_than_independent_instructions():
    chain, waiting = assembly.chain()
    free, count = assembly.routine(
        tuple(assembly.independent(["vpaddd %ymm0, %ymm1, %ymm2"]))
    )
    turns = 5000
    times = measure(
        {"chain": lambda: chain(turns), "free": lambda: free(turns)},
        budget=0.5,
    )
    ratio = times.ratio("chain", "free").per(waiting / count)
    assert ratio.high > 1.5  # two vector units at least, on any AVX2 core


@needs_avx2
@pytest.mark.parametrize("kind", pi_limit.KINDS)
def test_a_kernels_own_instructions_run(kind):
    text = assembly.of(pi_limit.KINDS[kind])
    loop = assembly.hot_loop(text, "vpcmpgt|vcmp|vpcmp[du]|vpmins")
    call, count = assembly.routine(tuple(assembly.independent(loop.vector)))
    assert count >= assembly.REPEATS
    call(10)


@pytest.mark.skipif(bool(vectors.missing()), reason=vectors.missing() or "-")
def test_the_kernel_can_be_told_to_take_wider_vectors():
    expected = 2 * pi_limit.hits_int(1000, KEY)
    with vectors.Kernel() as as_is, vectors.Kernel(vectors.WIDEST) as wide:
        assert as_is.hits(1000, KEY, 2) == wide.hits(1000, KEY, 2) == expected
        assert as_is.bits() in (256, 512)
        assert wide.bits() == 512
