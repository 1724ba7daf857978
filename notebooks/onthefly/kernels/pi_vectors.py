"""π by vectors of the processor, said in Python: LLVM's vector types, without
a line of C.

Three generators xoroshiro128+ of eight lanes each stay in registers, so that
none waits for another.  Each lane's 64 bits are two shots of 16 bits a
coordinate; one instruction squares and adds both coordinates of a shot.  LLVM
makes of this what the processor has: vectors of 512 bits, two of 256, or four
of 128, with the same hits.  Source of the generator: Blackman and Vigna,
Scrambled Linear Pseudorandom Number Generators, 2021.
"""

import numpy as np
from llvmlite import ir
from numba import int64, uint32, uint64
from numba.extending import intrinsic

from onthefly.kernels import pi_limit

LANES, GENERATORS = 8, 3
SHOTS = 2 * LANES * GENERATORS  # of a turn of the loop
WORDS, NUMBERS, HALVES = (
    ir.VectorType(ir.IntType(64 // k), k * LANES) for k in (1, 2, 4)
)
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


def inside(builder, word):
    """Emit whether each shot lies in the circle: a 1 or a 0 for each."""
    halves = builder.bitcast(word, HALVES)
    squares = []
    for each in (EVEN, ODD):
        half = builder.shuffle_vector(halves, halves, each)
        wide = builder.sext(half, NUMBERS)
        squares.append(builder.mul(wide, wide))
    r2 = builder.add(*squares)
    limit = _all(NUMBERS, pi_limit.CORNER**2)
    return builder.zext(builder.icmp_signed("<", r2, limit), NUMBERS)


@intrinsic
def _hits(_, state, turns):
    """Count the hits of so many turns from a state, an array of words."""

    def emit(context, builder, signature, arguments):
        array, turns = arguments
        array = context.make_array(state)(context, builder, array)
        place = builder.bitcast(array.data, WORDS.as_pointer())
        number = ir.IntType(64)
        start = [
            builder.load(
                builder.gep(place, [ir.Constant(number, k)]), align=8
            )
            for k in range(2 * GENERATORS)
        ]
        before = builder.block
        loop = builder.append_basic_block("turn")
        after = builder.append_basic_block("done")
        builder.branch(loop)
        builder.position_at_end(loop)
        turn = builder.phi(number)
        words = [builder.phi(WORDS) for _ in start]
        counts = [builder.phi(NUMBERS) for _ in range(GENERATORS)]
        for phi, value in zip(words, start, strict=True):
            phi.add_incoming(value, before)
        for phi in counts:
            phi.add_incoming(_all(NUMBERS, 0), before)
        turn.add_incoming(ir.Constant(number, 0), before)
        for k in range(GENERATORS):
            pair = words[2 * k : 2 * k + 2]
            given, *stepped = step(builder, *pair)
            for phi, value in zip(pair, stepped, strict=True):
                phi.add_incoming(value, loop)
            counted = builder.add(counts[k], inside(builder, given))
            counts[k].add_incoming(counted, loop)
            counts[k] = counted
        done = builder.add(turn, ir.Constant(number, 1))
        turn.add_incoming(done, loop)
        builder.cbranch(builder.icmp_unsigned("<", done, turns), loop, after)
        builder.position_at_end(after)
        total = counts[0]
        for count in counts[1:]:
            total = builder.add(total, count)
        hits = ir.Constant(number, 0)
        for k in range(NUMBERS.count):
            lane = builder.extract_element(total, ir.IntType(32)(k))
            hits = builder.add(hits, builder.zext(lane, number))
        return hits

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
        hits += _hits(state, turns)
    rest = uint32(int64(shots) - turns * SHOTS)
    if rest:
        hits += pi_limit.hits_int(rest, uint32(~key))
    return uint32(hits)
