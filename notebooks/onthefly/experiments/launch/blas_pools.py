"""Pools whose workers multiply matrices, by some threads of BLAS each."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

LIMIT = "OPENBLAS_NUM_THREADS"  # read once, when the library is loaded


def product(side):
    """Return a number of the product of two matrices of side × side ones."""
    ones = np.ones((side, side))
    return float((ones @ ones)[0, 0])


def start(workers, threads):
    """Return an open pool of new processes, each with its own BLAS.

    workers  how many processes
    threads  how many threads BLAS has in each

    The processes are spawned: a forked one would have this one's BLAS.
    """
    before = os.environ.get(LIMIT)
    os.environ[LIMIT] = str(threads)
    try:
        pool = ProcessPoolExecutor(workers, get_context("spawn"))
        list(pool.map(product, [1] * workers))
    finally:
        os.environ.pop(LIMIT)
        if before is not None:
            os.environ[LIMIT] = before
    return pool
