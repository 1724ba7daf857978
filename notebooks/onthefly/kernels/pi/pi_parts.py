"""π by the interpreter's loop, a part in each thread or process.  Source:
Okuda, PyCon JP 2018, slides 36 to 40."""

from onthefly.kernels.pi.pi_pool import pi_pool
from onthefly.kernels.pi.pi_python import pi_python
from onthefly.kernels.pools import threads, usable


def pi_parts(shots, pool=threads, workers=None):
    """Return π estimated from `shots` points by so many workers.

    pool  function of the workers: pools.threads or pools.processes
    """
    workers = usable(workers)
    return pi_pool(pi_python, shots, pool(workers), workers)
