"""π by whole arrays.  Sources: Okuda, PyCon JP 2018, slide 18 (float64, no
root); Okuda, TFUG Tokyo 2018, slide 10 (float32 and a square root)."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from onthefly.kernels import check_shots, split

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


def pi_numpy_buffers(shots, rng=None, chunk=None):
    """Return π from `shots` points in two buffers that are used again.

    Each operation writes into a buffer (``out=``), so a call makes no array
    at all.  A thread keeps the buffers of its last size for its next call.
    """
    shots = check_shots(shots)
    rng = _shared if rng is None else rng
    x, y, inside = _buffers(min(chunk or shots, shots))
    hits = 0
    for start in range(0, shots, len(x)):
        size = min(len(x), shots - start)
        a, b, c = x[:size], y[:size], inside[:size]
        rng.random(out=a)
        rng.random(out=b)
        np.multiply(a, a, out=a)
        np.multiply(b, b, out=b)
        np.add(a, b, out=a)
        np.less_equal(a, 1.0, out=c)
        hits += np.count_nonzero(c)
    return 4.0 * hits / shots


_kept = threading.local()


def _buffers(size):
    """Return this thread's two float buffers and one of bool, of `size`."""
    if getattr(_kept, "size", None) != size:
        _kept.size = size
        _kept.arrays = (np.empty(size), np.empty(size), np.empty(size, bool))
    return _kept.arrays


def pi_numpy_threads(shots, streams):
    """Return π from `shots` points, shared among threads.

    streams  one generator a thread, none shared: see `spawn`
    """
    parts = split(check_shots(shots), len(streams))
    with ThreadPoolExecutor(len(streams)) as pool:
        chunks = [50_000] * len(parts)
        estimates = pool.map(pi_numpy_buffers, parts, streams, chunks)
        hits = sum(p * n for p, n in zip(estimates, parts, strict=True))
    return hits / shots


def spawn(seed, count):
    """Return `count` generators whose streams do not overlap."""
    seeds = np.random.SeedSequence(seed).spawn(count)
    return [stream(s) for s in seeds]
