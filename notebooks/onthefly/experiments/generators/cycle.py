"""A generator that comes round: what all of its runs have in common."""

import numpy as np

from onthefly.experiments.generators.generators import Generator
from onthefly.measure.quantity import Quantity

CYCLE = 2**26  # shots after which rand_r throws the same ones again
BLOCK = 2**12  # shots that are counted together


def in_blocks(name, seed, shots=CYCLE, block=BLOCK):
    """Return the hits of each block of a run, an array of shots // block.

    name, seed  of a Generator
    """
    generator = Generator(name, seed)
    return np.array([generator.hits(block) for _ in range(shots // block)])


def every_run(blocks, length):
    """Return the hits of so many blocks in a row, from each start.

    blocks  hits of the blocks of a whole cycle; the first follows the last
    length  blocks of a run, which may go round more than once

    An array as long as `blocks`.
    """
    rounds, rest = divmod(length, len(blocks))
    so_far = np.concatenate([[0], np.cumsum(np.tile(blocks, 2))])
    part = so_far[rest : rest + len(blocks)] - so_far[: len(blocks)]
    return rounds * so_far[len(blocks)] + part


def error(cycles, length, block=BLOCK):
    """Return the error of π over all runs, the root of its mean square.

    cycles  of blocks, as `in_blocks` returns them: all the runs there are
    length  blocks of a run

    A Quantity without interval: all were looked at.
    """
    hits = np.concatenate([every_run(blocks, length) for blocks in cycles])
    off = 4 * hits / (length * block) - np.pi
    return Quantity.exact(np.sqrt(np.mean(off**2)))


def difference(one, other):
    """Return how far the means of two samples lie apart, a Quantity.

    one, other  independent numbers, as many as make their means normal

    The 95 % interval does not go below 0, where the two are alike.
    """
    gap = abs(np.mean(one) - np.mean(other))
    spread = np.hypot(*(np.std(x, ddof=1) / np.sqrt(len(x))
                        for x in (one, other)))  # fmt: skip
    reach = 1.96 * spread
    return Quantity(float(gap), max(0.0, float(gap - reach)),
                    float(gap + reach))  # fmt: skip
