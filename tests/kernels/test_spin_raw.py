"""A kernel that spins: on the processor, and on a device."""

import pytest

from cases import needs_gpu, skip_if
from onthefly.kernels.spin import spin_raw

CUDA = needs_gpu("torch", "cupy")
COMPILER = skip_if(spin_raw.missing())


@COMPILER
def test_the_kernel_spins_as_long_as_asked():
    for span in spin_raw.calls().values():
        for seconds in (0, 1e-6, 2e-3):
            begin, end, place = span(seconds)
            assert end - begin >= round(seconds * 1e9)
            assert 0 <= place < 2**16


@CUDA
@pytest.mark.parametrize(("blocks", "threads"), [(1, 32), (3, 1), (7, 33)])
def test_each_block_writes_its_own_span(blocks, threads):
    from onthefly.kernels.spin import spin_cupy

    begin, end, places = spin_cupy.span(
        1e-4, spin_cupy.cp.cuda.Stream.null, blocks, threads
    )
    assert end - begin >= 10**5 and 1 <= places <= blocks
