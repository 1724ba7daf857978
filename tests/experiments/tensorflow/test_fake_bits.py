"""A network on a grid: fake, in whole numbers, and trained for it."""

import numpy as np
import pytest

pytest.importorskip("tensorflow")

from onthefly.experiments.tensorflow import fake_bits
from onthefly.tools.quiet_tensorflow import tf


def test_zero_lies_on_the_grid():
    for low, high in ((-1.0, 3.0), (-5.3, 1057.5), (0.0, 2.0)):
        step, zero = fake_bits.grid(low, high)
        numbers, *_ = fake_bits.whole(np.zeros(1), low, high)
        assert numbers == zero and 0 <= zero <= 255
        assert step * 255 == pytest.approx(high - low)


def test_a_product_of_whole_numbers_is_that_of_the_grid():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(5, 7)), rng.normal(size=(7, 3))
    grids = [fake_bits.whole(x, x.min(), x.max()) for x in (a, b)]
    real = [(n.astype(float) - zero) * step for n, step, zero in grids]
    np.testing.assert_allclose(fake_bits.product(*grids), real[0] @ real[1])


def test_the_fake_grid_is_that_of_whole_numbers():
    x = np.linspace(-2, 5, 101, dtype=np.float32)
    numbers, step, zero = fake_bits.whole(x, -1.5, 4.0)
    fake = fake_bits.fake(tf.constant(x), -1.5, 4.0, 8).numpy()
    off = np.abs(fake - (numbers.astype(float) - zero) * step)
    # Halves may be rounded either way; nothing else may differ.
    assert (off < 1e-5).mean() > 0.95 and off.max() < 1.01 * step


@pytest.mark.slow
def test_training_for_eight_bits_is_as_accurate_as_for_floats():
    aware = fake_bits.accuracy(fake_bits.trained(0, bits=8), 0, bits=8)
    floats = fake_bits.accuracy(fake_bits.trained(0), 0)
    assert aware > 0.6 and abs(aware - floats) < 0.1
