"""π by the interpreter's loop, a part in each of several processes."""

from onthefly.kernels.pi_pool import pi_pool
from onthefly.kernels.pi_python import pi_python
from onthefly.kernels.pools import processes, usable


def pi_processes(shots, workers=None):
    """Return π estimated from `shots` points by so many processes."""
    workers = usable(workers)
    return pi_pool(pi_python, shots, processes(workers), workers)
