"""The limit's kernel in Numba: in the simulator, and on a device."""

import numpy as np

from cases import skip_if
from onthefly.kernels.pi import pi_cuda_limit
from onthefly.kernels.pi import pi_device_limit as limit


def test_numbas_kernel_counts_the_same_in_the_simulator(sim):
    for shots, shape in ((1, (1, 1)), (37, (2, 5)), (2**9, (1, 32))):
        hits = np.zeros(1, np.uint32)
        sim.launch(pi_cuda_limit.hits_limit, *shape, shots, 7, hits)
        assert hits[0] == limit.hits_numpy("hash", shots, 7)[0]


@skip_if(pi_cuda_limit.missing())
def test_numbas_kernel_counts_the_same_on_the_device():
    shots = 3 * limit.BLOCK + 5
    own = limit.hits_numpy("hash", shots, 7)
    for blocks in (None, 1, 7):
        assert np.array_equal(pi_cuda_limit.hits_cuda(shots, 7, blocks), own)
