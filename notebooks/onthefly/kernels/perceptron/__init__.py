"""A small network and what it learns: one specification for all trainers.

One hidden layer of tanh, one number out, the mean squared error, gradient
descent.  A trainer is a class with the methods of the others: it is made from
weights and a rate, `train` takes a step for each batch, `weights` gives back
what is learned.
"""

import numpy as np

INPUTS, HIDDEN = 8, 16
ROWS = 32  # of a batch
RATE = 0.1  # as on the slide of 2017
SHAPES = (INPUTS, HIDDEN), (HIDDEN,), (HIDDEN, 1), (1,)


def start(seed=0):
    """Return the weights before training: float32 arrays of SHAPES."""
    rng = np.random.default_rng(seed)
    return [
        (rng.standard_normal(shape) / len(shape) / 2).astype("float32")
        for shape in SHAPES
    ]


def batches(steps, rows=ROWS, seed=0):
    """Return x and y of a training: float32, steps by rows by numbers.

    y is a smooth function of x, and a little noise.
    """
    rng = np.random.default_rng(seed)
    slope = rng.standard_normal((INPUTS, 1)) / INPUTS**0.5
    x = rng.standard_normal((steps, rows, INPUTS))
    y = np.sin(x @ slope) + 0.1 * rng.standard_normal((steps, rows, 1))
    return x.astype("float32"), y.astype("float32")


def apart(some, others):
    """Return the largest difference between two lists of weights."""
    return max(
        float(np.abs(np.subtract(a, b)).max())
        for a, b in zip(some, others, strict=True)
    )
