"""All the runs of a generator that comes round."""

import numpy as np
import pytest

from cases import skip_if
from onthefly.experiments.generators import cycle, generators
from onthefly.experiments.generators.generators import Generator

built = skip_if(generators.missing())


@built
def test_blocks_are_one_run():
    blocks = cycle.in_blocks("xoshiro", 5, shots=1000, block=100)
    assert len(blocks) == 10
    assert blocks.sum() == Generator("xoshiro", 5).hits(1000)


@built
def test_rand_r_knows_27_bits_of_its_seed():
    numbers = [Generator("rand_r", s).numbers(100) for s in (4, 4 + 2**27, 5)]
    assert np.array_equal(numbers[0], numbers[1])
    assert not np.array_equal(numbers[0], numbers[2])


@pytest.mark.parametrize("length", [1, 3, 4, 6, 9])
def test_every_run_is_counted_from_each_start(length):
    blocks = [1, 10, 100, 1000]
    plain = [
        sum(blocks[(k + j) % 4] for j in range(length)) for k in range(4)
    ]
    assert cycle.every_run(blocks, length).tolist() == plain


def test_the_error_is_that_of_all_runs():
    good = [np.pi / 4 * 100] * 4
    assert cycle.error([good], 2, block=100).value < 1e-12
    bad = cycle.error([[80.0] * 4, [70.0] * 4], 2, block=100)
    off = np.array([3.2, 2.8]) - np.pi
    assert bad.value == pytest.approx(np.sqrt(np.mean(off**2)))
    assert bad.is_exact


@pytest.mark.parametrize("shift", [0, 0.5])
def test_a_difference_of_means_shows_where_there_is_one(shift):
    rng = np.random.default_rng(3)
    gap = cycle.difference(rng.normal(size=500), rng.normal(shift, size=500))
    assert gap.low <= shift <= gap.high
    assert (gap.low > 0) == bool(shift)
