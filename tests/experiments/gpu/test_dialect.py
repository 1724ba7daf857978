"""What the compiler of CUDA kernels says."""

from cases import skip_if
from onthefly.experiments.gpu import dialect, kernel_timings, ptx

COMPILER = skip_if(ptx.missing())


def test_a_refusal_is_one_for_want_of_the_brackets():
    def bare(x):
        raise ValueError("no launch configuration")

    def other(x):
        raise ValueError("no such array")

    assert dialect.refuses_a_bare_call(bare, 1)
    assert not dialect.refuses_a_bare_call(other, 1)
    assert not dialect.refuses_a_bare_call(lambda x: None, 1)


@COMPILER
def test_the_librarys_single_precision_computes_in_double():
    counts = dialect.doubles(kernel_timings.PRECISIONS)
    assert counts["uniform_float64"] > counts["uniform_float32"] > 0
    assert counts["24 bits, float32"] == 0
