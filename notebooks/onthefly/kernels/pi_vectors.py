"""π by vectors of the processor, said in Python: LLVM's vector types, without
a line of C.

Six generators xoroshiro128+ of eight lanes each stay in registers, so that
none waits for another.  Each lane's 64 bits are two shots of 16 bits a
coordinate; one instruction squares and adds both coordinates of a shot.  LLVM
makes of this what the processor has: vectors of 512 bits, two of 256, or four
of 128, with the same hits.  Source of the generator: Blackman and Vigna,
Scrambled Linear Pseudorandom Number Generators, 2021.
"""

import functools

import numpy as np
from llvmlite import ir
from numba import int64, uint32, uint64
from numba.extending import intrinsic

from onthefly.kernels import pi_limit

LANES, GENERATORS = 8, 6
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


def _turns(builder, words, turns):
    """Emit the loop; return the hits of each lane, a vector a generator.

    words  the generators' states to begin with, in pairs
    turns  how often each makes a step, at least once
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
    counts = [carried(NUMBERS, _all(NUMBERS, 0)) for _ in range(GENERATORS)]
    counted = []
    for k, count in enumerate(counts):
        pair = states[2 * k : 2 * k + 2]
        given, *stepped = step(builder, *pair)
        for state, value in zip(pair, stepped, strict=True):
            state.add_incoming(value, loop)
        counted.append(builder.add(count, inside(builder, given)))
        count.add_incoming(counted[-1], loop)
    done = builder.add(turn, number(1))
    turn.add_incoming(done, loop)
    after = builder.append_basic_block("done")
    builder.cbranch(builder.icmp_unsigned("<", done, turns), loop, after)
    builder.position_at_end(after)
    return counted


@intrinsic
def _hits(_, state, turns):
    """Count the hits of so many turns from a state, an array of words."""

    def emit(context, builder, signature, arguments):
        array, turns = arguments
        array = context.make_array(state)(context, builder, array)
        place = builder.bitcast(array.data, WORDS.as_pointer())
        words = [
            builder.load(builder.gep(place, [turns.type(k)]), align=8)
            for k in range(2 * GENERATORS)
        ]
        total = functools.reduce(builder.add, _turns(builder, words, turns))
        lanes = [
            builder.extract_element(total, ir.IntType(32)(k))
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
        hits += _hits(state, turns)
    rest = uint32(int64(shots) - turns * SHOTS)
    if rest:
        hits += pi_limit.hits_int(rest, uint32(~key))
    return uint32(hits)
