"""π by vectors of the processor, said in Python: LLVM's vector types, without
a line of C.

Eight generators xoroshiro128+ of eight lanes each.  A lane's 64 bits are two
shots of 16 bits a coordinate; one instruction squares and adds both
coordinates of a shot.  As many generators take turns as the registers hold,
so that none waits for another.  LLVM makes of this what the processor has:
vectors of 512 bits, two of 256, or four of 128, with the same hits.  Source
of the generator: Blackman and Vigna, Scrambled Linear Pseudorandom Number
Generators, 2021.
"""

import functools

import numpy as np
from llvmlite import ir
from numba import int64, uint32, uint64
from numba.extending import intrinsic

from onthefly.kernels.pi import pi_limit

LANES = GENERATORS = 8
SHOTS = 2 * LANES * GENERATORS  # of a step of all
# How many take turns: 32 registers of 512 bits hold all, 16 of 256 bits two.
AT_ONCE = {True: 8, False: 2}  # {whether the processor has AVX-512: so many}
WORDS, NUMBERS, HALVES = (
    ir.VectorType(ir.IntType(64 // k), k * LANES) for k in (1, 2, 4)
)
RADIUS_BIT = 30  # of x² + y², where the radius is pi_limit.CORNER
EVEN, ODD = (
    ir.Constant(
        ir.VectorType(ir.IntType(32), 2 * LANES), list(range(k, 4 * LANES, 2))
    )
    for k in (0, 1)
)


def _all(kind, value):
    """Return a vector whose lanes all hold a value."""
    return ir.Constant(kind, [value] * kind.count)


def _rotated(builder, word, bits):
    left = builder.shl(word, _all(WORDS, bits))
    return builder.or_(left, builder.lshr(word, _all(WORDS, 64 - bits)))


def step(builder, a, b):
    """Emit a step of the generators; return (what they give, a, b)."""
    given, b = builder.add(a, b), builder.xor(a, b)
    mixed = builder.xor(_rotated(builder, a, 24), b)
    a = builder.xor(mixed, builder.shl(b, _all(WORDS, 16)))
    return given, a, _rotated(builder, b, 37)


def outside(builder, word):
    """Emit whether each shot lies outside the circle: a 1 or a 0 for each.

    The radius is a power of two, so that a bit of the sum says it.  Only the
    corner, one point of 2^32, has the next bit, and counts as two.
    """
    halves = builder.bitcast(word, HALVES)
    squares = []
    for each in (EVEN, ODD):
        half = builder.shuffle_vector(halves, halves, each)
        wide = builder.sext(half, NUMBERS)
        squares.append(builder.mul(wide, wide))
    return builder.lshr(builder.add(*squares), _all(NUMBERS, RADIUS_BIT))


def _turns(builder, words, turns, misses):
    """Emit a loop of some generators; return the misses of each lane.

    words   the generators' states to begin with, in pairs
    turns   how often each makes a step, at least once
    misses  of each lane before
    """
    number = turns.type
    before = builder.block
    loop = builder.append_basic_block("turn")
    builder.branch(loop)
    builder.position_at_end(loop)

    def carried(kind, start):
        """Emit what a turn hands on to the next."""
        value = builder.phi(kind)
        value.add_incoming(start, before)
        return value

    turn = carried(number, number(0))
    states = [carried(WORDS, word) for word in words]
    count = counted = carried(NUMBERS, misses)
    for a, b in zip(states[::2], states[1::2], strict=True):
        given, *stepped = step(builder, a, b)
        for state, value in zip((a, b), stepped, strict=True):
            state.add_incoming(value, loop)
        counted = builder.add(counted, outside(builder, given))
    count.add_incoming(counted, loop)
    done = builder.add(turn, number(1))
    turn.add_incoming(done, loop)
    after = builder.append_basic_block("done")
    builder.cbranch(builder.icmp_unsigned("<", done, turns), loop, after)
    builder.position_at_end(after)
    return counted


@intrinsic
def _misses(_, state, turns):
    """Count the misses of so many turns from a state, an array of words."""

    def emit(context, builder, signature, arguments):
        array, turns = arguments
        array = context.make_array(state)(context, builder, array)
        place = builder.bitcast(array.data, WORDS.as_pointer())
        most = AT_ONCE["+avx512f" in context.codegen().magic_tuple()[2]]
        misses = _all(NUMBERS, 0)
        for first in range(0, GENERATORS, most):
            words = [
                builder.load(builder.gep(place, [turns.type(k)]), align=8)
                for k in range(2 * first, 2 * (first + most))
            ]
            misses = _turns(builder, words, turns, misses)
        lanes = [
            builder.extract_element(misses, ir.IntType(32)(k))
            for k in range(NUMBERS.count)
        ]
        wide = [builder.zext(lane, turns.type) for lane in lanes]
        return functools.reduce(builder.add, wide)

    return int64(state, turns), emit


@pi_limit.block_kernel
def hits_vectors(shots, key):
    """Count hits by vectors; what is left of a turn, by `hits_int`."""
    hits, turns = int64(0), int64(shots) // SHOTS
    if turns:
        state = np.empty(2 * GENERATORS * LANES, np.uint64)
        for k in range(state.size):
            word = uint64(pi_limit.key_of(key, 2 * k)) << uint64(32)
            state[k] = word | uint64(pi_limit.key_of(key, 2 * k + 1))
        hits += turns * SHOTS - _misses(state, turns)
    rest = uint32(int64(shots) - turns * SHOTS)
    if rest:
        hits += pi_limit.hits_int(rest, uint32(~key))
    return uint32(hits)
