"""A recurrence that no whole-array operation computes, by a plain loop.

See :mod:`onthefly.kernels.tank.tank_tensorflow`.
"""

import numpy as np


def tank_python(inflow, limit):
    """Compute the levels by a loop over the steps."""
    levels = np.empty_like(inflow)
    level = 0
    for i in range(len(inflow)):
        level += inflow[i]
        if level > limit:
            level = 0
        levels[i] = level
    return levels
