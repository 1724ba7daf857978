"""A recurrence by a loop, plain and compiled, and by TensorFlow's tools."""

import numpy as np
import pytest

from onthefly.kernels.tank import tank_tensorflow
from onthefly.kernels.tank.tank_numba import tank_numba
from onthefly.kernels.tank.tank_python import tank_python
from onthefly.tools.quiet_tensorflow import tf


@pytest.mark.parametrize("tool", tank_tensorflow.TOOLS)
def test_a_tool_gives_the_levels(tool):
    inflow = np.random.default_rng(3).integers(1, 10, 60)
    levels = tank_python(inflow, 25)
    assert np.array_equal(tank_numba(inflow, 25), levels)
    assert levels.max() <= 25 and 0 in levels
    result = tool(tf.constant(inflow), tf.constant(25, tf.int64))
    assert np.array_equal(result, levels)
