"""A recurrence that no whole-array operation computes, by a compiled loop.

See :mod:`onthefly.kernels.tank.tank_tensorflow`.
"""

from numba import njit

from onthefly.kernels.tank.tank_python import tank_python

tank_numba = njit(tank_python)
