"""π by the processor's own cipher: a round of AES is one instruction, which
mixes 16 bytes, and a vector of 512 bits holds four such blocks.

The generator numbers its blocks, as the hash of `pi_limit` numbers its shots:
no block waits for another.  A block of 16 bytes is four shots.  It needs an
x86-64 processor with AES, and counts the same hits whether the instruction
takes one block, two or four at once.

Sources: Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as
1, 2, 3, 2011, whose ARS has the same constants and five rounds or more; here
are the fewest that pass the tests (see batteries.py).
"""

import functools

import numpy as np
from llvmlite import binding, ir
from numba import int64, uint32, uint64
from numba.core import cgutils
from numba.extending import intrinsic

from onthefly.kernels.pi import pi_limit
from onthefly.kernels.pi.pi_vectors import LANES, NUMBERS, WORDS, outside
from onthefly.measure import libraries

ROUNDS = 1
VECTORS = 8  # which take turns, so that none waits for another
SHOTS = 2 * LANES * VECTORS  # of a turn
BLOCKS = SHOTS // 4  # of a turn
# What the two halves of a block's number grow by from block to block.
STEPS = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
# {words that the instruction takes: its name, and what has it}
CIPHERS = {
    8: ("llvm.x86.aesni.aesenc.512", ("vaes", "avx512f")),
    4: ("llvm.x86.aesni.aesenc.256", ("vaes",)),
    2: ("llvm.x86.aesni.aesenc", ("aes",)),
}


def width(features):
    """Return how many words of 64 bits a round takes at once; 0: no AES.

    features  LLVM's names of what a processor has
    """
    has = set(features)
    return next(
        (n for n, (_, need) in CIPHERS.items() if has >= set(need)), 0
    )


def missing():
    """Say in a few words what this processor lacks, or return ""."""
    has = binding.get_host_cpu_features()
    return "" if width(k for k in has if has[k]) else "no instruction for AES"


def check():
    """Raise libraries.Missing on a processor without AES."""
    if lack := missing():
        raise libraries.Missing(lack.removeprefix("no "))


def _some(builder, vector, first, count):
    """Emit some neighbouring words of a vector."""
    kind = ir.VectorType(ir.IntType(32), count)
    places = ir.Constant(kind, list(range(first, first + count)))
    return builder.shuffle_vector(vector, vector, places)


def _joined(builder, parts):
    """Emit a vector of the words of several, in their order."""
    while len(parts) > 1:
        kind = ir.VectorType(ir.IntType(32), 2 * parts[0].type.count)
        places = ir.Constant(kind, list(range(kind.count)))
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [builder.shuffle_vector(a, b, places) for a, b in pairs]
    return parts[0]


def encrypted(builder, blocks, keys, wide):
    """Emit a round of AES for each key, of the blocks of a vector.

    blocks  vector of WORDS, two to a block
    keys    of the rounds, such vectors
    wide    words that the processor's instruction takes
    """
    kind = ir.VectorType(ir.IntType(64), wide)
    name, _ = CIPHERS[wide]
    cipher = builder.module.declare_intrinsic(
        name, fnty=ir.FunctionType(kind, [kind, kind])
    )
    parts = []
    for first in range(0, LANES, wide):
        part = _some(builder, blocks, first, wide)
        for key in keys:
            own = _some(builder, key, first, wide)
            part = builder.call(cipher, [part, own])
        parts.append(part)
    return _joined(builder, parts)


def _steps(blocks):
    """Return by how much the numbers of blocks grow, for each of WORDS.

    blocks  how many blocks later, for each two words
    """
    return ir.Constant(
        WORDS, [n * step % 2**64 for n in blocks for step in STEPS]
    )


@intrinsic
def _misses(_, words, turns):
    """Count the misses of so many turns.

    words  array: the number of the first block and the keys of the rounds,
           two words each
    """

    def emit(context, builder, signature, arguments):
        array, turns = arguments
        array = context.make_array(words)(context, builder, array)
        features = context.codegen().magic_tuple()[2].split(",")
        wide = width(one[1:] for one in features if one[0] == "+")

        def repeated(pair):
            """Emit a vector in which two words of the array take turns."""
            vector = WORDS(ir.Undefined)
            for lane in range(LANES):
                place = builder.gep(array.data, [turns.type(pair + lane % 2)])
                vector = builder.insert_element(
                    vector, builder.load(place), ir.IntType(32)(lane)
                )
            return vector

        first, *keys = (repeated(k) for k in range(0, 2 * ROUNDS + 2, 2))
        first = builder.add(first, _steps(range(LANES // 2)))
        number = cgutils.alloca_once_value(builder, first)
        count = cgutils.alloca_once_value(builder, ir.Constant(NUMBERS, None))
        with cgutils.for_range(builder, turns):
            misses, start = builder.load(count), builder.load(number)
            for k in range(VECTORS):
                later = _steps([k * LANES // 2] * (LANES // 2))
                blocks = builder.add(start, later)
                given = encrypted(builder, blocks, keys, wide)
                misses = builder.add(misses, outside(builder, given))
            builder.store(misses, count)
            turned = _steps([BLOCKS] * (LANES // 2))
            builder.store(builder.add(start, turned), number)
        misses = builder.load(count)
        each = (
            builder.extract_element(misses, ir.IntType(32)(k))
            for k in range(NUMBERS.count)
        )
        wide_each = (builder.zext(one, turns.type) for one in each)
        return functools.reduce(builder.add, wide_each)

    return int64(words, turns), emit


@functools.cache
def kernel():
    """Return the kernel: a compiled function of (shots, key), of 32 bits.

    Raises libraries.Missing on a processor without AES.
    """
    check()
    return pi_limit.block_kernel(_hits_aes)


def hits(shots, key):
    """Count hits by `kernel`, for another process that asks."""
    return int(kernel()(shots, key))


def _hits_aes(shots, key):
    """Count hits by AES; what is left of a turn, by `hits_int`."""
    hits, turns = int64(0), int64(shots) // SHOTS
    if turns:
        words = np.empty(2 * ROUNDS + 2, np.uint64)
        for k in range(words.size):
            word = uint64(pi_limit.key_of(key, 2 * k)) << uint64(32)
            words[k] = word | uint64(pi_limit.key_of(key, 2 * k + 1))
        hits += turns * SHOTS - _misses(words, turns)
    rest = uint32(int64(shots) - turns * SHOTS)
    if rest:
        hits += pi_limit.hits_int(rest, uint32(~key))
    return uint32(hits)
