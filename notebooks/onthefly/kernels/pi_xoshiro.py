"""π by a compiled loop whose generator is handed in: xoshiro256+.

One call, one stream: no state is shared among threads or processes, so a
seed gives the same hits wherever the call runs.
"""

import numba
import numpy as np

from onthefly.kernels import check_shots

stream = np.random.SeedSequence


@numba.njit(nogil=True)
def hits_xoshiro(shots, state):
    """Count hits of `shots` points drawn from a state of four uint64.

    One number of 64 bits gives both coordinates, of 31 bits each; π is off
    by 2e-9 for that, which fewer than 10^17 shots cannot show.
    """
    a, b, c, d = state
    limit, mask = np.uint64(1 << 62), np.uint64((1 << 31) - 1)
    hits = 0
    for _ in range(shots):
        number = a + d
        x = number >> np.uint64(33)
        y = (number >> np.uint64(2)) & mask
        hits += x * x + y * y <= limit
        t = b << np.uint64(17)
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = (d << np.uint64(45)) | (d >> np.uint64(19))
    return hits


def pi_xoshiro(shots, rng=None):
    """Return π estimated from `shots` points.

    rng  a SeedSequence: one stream a sequence
    """
    shots = check_shots(shots)
    state = (rng or stream()).generate_state(4, np.uint64)
    return 4.0 * hits_xoshiro(shots, state) / shots
