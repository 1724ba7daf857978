"""π by the interpreter's loop, a part in each of several threads.  Source:
Okuda, PyCon JP 2018, slides 36 to 40."""

from onthefly.kernels.pi_pool import pi_pool
from onthefly.kernels.pi_python import pi_python
from onthefly.kernels.pools import threads, usable


def pi_threads(shots, workers=None):
    """Return π estimated from `shots` points by so many threads."""
    workers = usable(workers)
    return pi_pool(pi_python, shots, threads(workers), workers)
