"""The images are those of their seed, and hold what a byte can hold."""

import numpy as np

from onthefly.experiments.tensorflow import glyphs


def test_a_seed_gives_its_images_again():
    first, labels = glyphs.draw(20, 5)
    again, same = glyphs.draw(20, 5)
    others, _ = glyphs.draw(20, 6)
    assert np.array_equal(first, again) and np.array_equal(labels, same)
    assert not np.array_equal(first, others)


def test_levels_are_whole_numbers_of_a_byte():
    images, labels = glyphs.draw(50, 1)
    levels = 255 * images.astype(float)
    assert images.shape == (50, 16, 16, 1) and images.dtype == np.float32
    assert np.allclose(levels, np.round(levels), atol=1e-4)
    assert images.min() >= 0 and images.max() <= 1
    assert set(labels) <= set(range(10))
