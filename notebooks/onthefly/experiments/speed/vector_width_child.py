"""The kernel of pi_limit, compiled as this process's environment says."""

import numpy as np

from onthefly.kernels.pi.pi_limit import hits_int
from onthefly.tools import assembly


def hits(shots, key, turns=1):
    """Return the hits of the same shots, counted `turns` times over.

    Many turns, since asking takes time, too.
    """
    return sum(int(hits_int(shots, np.uint32(key))) for _ in range(turns))


def bits():
    """Return the width of the widest vectors in the kernel."""
    return assembly.of(hits_int).bits()
