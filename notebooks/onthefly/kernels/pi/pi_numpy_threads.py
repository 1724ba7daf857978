"""π by whole arrays, for threads to call at once.  Source: Okuda, PyCon JP
2018, slide 46."""

import numpy as np

from onthefly.tools.threads import own


def hits_rewritten(shots):
    """Count hits by arrays, but the last step by a loop over the flags."""
    x, y = np.random.rand(shots), np.random.rand(shots)
    inside = x * x + y * y <= 1.0
    hits = 0
    for flag in inside:
        if flag == 1:
            hits = hits + 1
    return hits


def hits_original(shots):
    """Count hits by arrays, as NumPy would have it."""
    x, y = np.random.rand(shots), np.random.rand(shots)
    inside = x * x + y * y <= 1.0
    return np.count_nonzero(inside)


def generator(seed):
    """Return a NumPy generator of random numbers."""
    return np.random.default_rng(seed)


def hits_own(shots):
    """Count hits as `hits_original`, from a stream of this thread's own."""
    rng = own(generator, None)
    x, y = rng.random(shots), rng.random(shots)
    return np.count_nonzero(x * x + y * y <= 1.0)
