"""The kernel in a process whose LLVM takes other vectors."""

import pytest

from cases import skip_if
from onthefly.experiments.speed import vector_width
from onthefly.kernels.pi import pi_limit

lack = vector_width.missing()
KEY = 77


@pytest.mark.parametrize(
    ("preference", "widths"),
    [
        ("", (128, 256, 512)),
        ("-avx2,-avx512f", (128,)),
        pytest.param(
            vector_width.WIDEST,
            (512,),
            marks=skip_if(lack),
        ),
    ],
)
def test_the_kernel_obeys_and_counts_the_same(preference, widths):
    expected = 2 * pi_limit.hits_int(1000, KEY)
    with vector_width.kernel(preference) as kernel:
        assert kernel.ask("hits", 1000, KEY, 2) == expected
        assert kernel.ask("bits") in widths
