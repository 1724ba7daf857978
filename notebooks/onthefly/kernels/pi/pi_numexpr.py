"""π by NumPy's generator and one expression that numexpr compiles."""

import numexpr
import numpy as np

from onthefly.kernels import check_shots

stream = np.random.default_rng
_shared = stream(None)
HIT = "sum(where(x*x + y*y <= 1, 1, 0))"


def pi_numexpr(shots, rng=None, chunk=10_000):
    """Return π estimated from `shots` points, `chunk` at a time."""
    shots = check_shots(shots)
    rng = _shared if rng is None else rng
    hits = 0
    for start in range(0, shots, chunk):
        size = min(chunk, shots - start)
        draws = {"x": rng.random(size), "y": rng.random(size)}
        hits += int(numexpr.evaluate(HIT, local_dict=draws))
    return 4.0 * hits / shots
