"""Images to learn from, drawn on the spot: ten digits of seven bars.

Needs NumPy alone, so that a process that only serves can draw them, too.
"""

import numpy as np

SIDE = 16  # pixels
CLASSES = 10

# The bars of a seven-segment display, as (rows, columns) of a box of 11 by 7:
# top, upper left, upper right, middle, lower left, lower right, bottom.
_BARS = (
    (slice(0, 1), slice(1, 6)),
    (slice(1, 5), slice(0, 1)),
    (slice(1, 5), slice(6, 7)),
    (slice(5, 6), slice(1, 6)),
    (slice(6, 10), slice(0, 1)),
    (slice(6, 10), slice(6, 7)),
    (slice(10, 11), slice(1, 6)),
)
_LIT = (
    (0, 1, 2, 4, 5, 6),
    (2, 5),
    (0, 2, 3, 4, 6),
    (0, 2, 3, 5, 6),
    (1, 2, 3, 5),
    (0, 1, 3, 5, 6),
    (0, 1, 3, 4, 5, 6),
    (0, 2, 5),
    (0, 1, 2, 3, 4, 5, 6),
    (0, 1, 2, 3, 5, 6),
)


def draw(count, seed, brightness=1.0):
    """Draw digits, each at a place of its own, with noise.

    count       how many images
    seed        of NumPy's generator; another seed, other images
    brightness  factor of the strokes

    Returns (images, labels): float32 of shape (count, 16, 16, 1), in steps
    of 1/255 from 0 to 1, and int64 of shape (count,), 0 to 9.
    """
    rng = np.random.default_rng(seed)
    labels = rng.integers(CLASSES, size=count)
    images = np.zeros((count, SIDE, SIDE))
    for image, label in zip(images, labels, strict=True):
        row, column = rng.integers(SIDE - 10), rng.integers(SIDE - 6)
        box = image[row : row + 11, column : column + 7]
        for bar in _LIT[label]:
            box[_BARS[bar]] = rng.uniform(0.3, 0.9)
    images = brightness * images + rng.normal(0, 0.17, images.shape)
    levels = np.round(255 * np.clip(images, 0, 1))
    return (levels / 255).astype(np.float32)[..., None], labels
