"""π by whole arrays.  Sources: Okuda, PyCon JP 2018, slide 18 (float64, no
root); Okuda, TFUG Tokyo 2018, slide 10 (float32 and a square root)."""

import numpy as np

from onthefly.kernels import check_shots

stream = np.random.default_rng
_shared = stream(None)


def pi_numpy(shots, rng=None):
    """Return π estimated from `shots` points, all at once, in float64."""
    shots = check_shots(shots)
    rng = _shared if rng is None else rng
    x, y = rng.random(shots), rng.random(shots)
    hits = hits_plain(x, y)
    return 4.0 * hits / shots


def pi_numpy_legacy(shots, rng=None):
    """Return π from `shots` points of the stream that the talks used."""
    shots = check_shots(shots)
    rng = np.random if rng is None else rng  # or a np.random.RandomState
    return 4.0 * hits_plain(rng.rand(shots), rng.rand(shots)) / shots


def hits_plain(x, y):
    """Count the points (x, y) with x² + y² at most 1."""
    return np.count_nonzero(x * x + y * y <= 1.0)


def hits_root(x, y):
    """Count the points (x, y) at a distance of at most 1."""
    return np.count_nonzero(np.sqrt(x * x + y * y) <= 1.0)


def pi_numpy_chunks(shots, rng=None, chunk=10_000):
    """Return π estimated from `shots` points, `chunk` at a time.

    A chunk's arrays stay in the cache, whatever the number of shots.
    """
    shots = check_shots(shots)
    rng = _shared if rng is None else rng
    hits = 0
    for start in range(0, shots, chunk):
        size = min(chunk, shots - start)
        hits += hits_plain(rng.random(size), rng.random(size))
    return 4.0 * hits / shots
