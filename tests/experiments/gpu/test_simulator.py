"""Kernels in Numba's simulator: what it changes, and what it says."""

import numpy as np
import pytest

from onthefly.kernels import pi_cuda
from onthefly.tools import processes


def places(sim):
    """Return the block and the thread that each element is given."""
    block, thread = np.zeros(5, int), np.zeros(5, int)
    sim.launch(pi_cuda.who, 2, 3, block, thread)
    return block.tolist(), thread.tolist()


def test_a_kernel_changes_the_arrays_it_is_given(sim):
    assert places(sim) == ([0, 0, 0, 1, 1], [0, 1, 2, 0, 1])


def test_it_says_what_fails_and_goes_on(sim):
    with pytest.raises(processes.Failed, match="Error") as error:
        sim.launch(pi_cuda.who, 1, 4, 7, 7)
    assert "who" in error.value.trace
    assert places(sim)[0] == [0, 0, 0, 1, 1]
