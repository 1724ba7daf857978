"""Arrays in shared memory, and workers with threads of BLAS of their own."""

import os
from multiprocessing import shared_memory

import numpy as np
import pytest

from onthefly.experiments.launch import blas_pools, shared_arrays


def test_the_numbers_of_a_block_are_added():
    block = shared_memory.SharedMemory(create=True, size=80)
    try:
        np.ndarray(10, buffer=block.buf)[:] = range(10)
        assert shared_arrays.sum_of(block.name, 4) == 6
    finally:
        block.close()
        block.unlink()
    with pytest.raises(FileNotFoundError):
        shared_arrays.sum_of(block.name, 4)


@pytest.mark.parametrize("before", [None, "3"])
def test_each_worker_has_so_many_threads_and_this_process_its_own(
    monkeypatch, before
):
    if before is None:
        monkeypatch.delenv(blas_pools.LIMIT, raising=False)
    else:
        monkeypatch.setenv(blas_pools.LIMIT, before)
    with blas_pools.start(2, 1) as pool:
        assert list(pool.map(blas_pools.product, [3, 5])) == [3, 5]
        limit = pool.submit(os.getenv, blas_pools.LIMIT)
        assert limit.result() == "1"
    assert os.environ.get(blas_pools.LIMIT) == before
