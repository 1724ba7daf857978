"""What the compiler of CUDA kernels says."""

import pytest

from cases import skip_if
from onthefly.experiments.gpu import (
    dialect,
    dialect_child,
    kernel_timings,
    ptx,
)
from onthefly.experiments.then import environments

COMPILER = skip_if(ptx.missing())
OLD = environments.made("numba-").get("2018")


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


def test_only_typing_and_lowering_refuse():
    class NumbaError(Exception):
        pass

    class TypingError(NumbaError):
        pass

    def raising(error):
        def compile(function):
            raise error

        return compile

    source = "def f(a):\n found = 1"
    outcome = dialect_child.outcome
    assert outcome(lambda f: None, source) == dialect_child.PASSES
    for error in TypingError(), NotImplementedError(), TypeError():
        assert outcome(raising(error), source) == dialect_child.REFUSED
    assert outcome(raising(OSError()), source) == "OSError"
    said = {"a": "passes", "b": "refused", "c": "OSError"}
    assert dialect.refused(said) == (1, 3)
    assert dialect.named(said, "passes") == "a"
    assert dialect.named(said, "crash") == "none"


@COMPILER
def test_todays_compiler_says_what_it_passes():
    today = dialect.of_today()
    assert today["NumPy"]["reshape"] == dialect_child.PASSES
    assert today["NumPy"]["sort"] == dialect_child.REFUSED
    assert float(today["PTX"]) > 6
    assert list(today["lowest"]) > [2, 0]


@pytest.mark.slow
@skip_if(not OLD and "no Numba of 2018")
def test_numba_of_then_is_asked_without_a_device():
    then = dialect.of_then(OLD)
    assert then["lowest"] == [2, 0]
    assert set(then["NumPy"]) == set(dialect.numpy_sources())
    assert dialect_child.REFUSED in then["NumPy"].values()
