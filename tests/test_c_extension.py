"""The C extension: its build, its generators, its refusals."""

import os
import sys
import time

import numpy as np
import pytest

from onthefly import machine
from onthefly.kernels import pi_c, sigmas

GENERATORS = ["rand_r", "random_r", "rand", "drand48", "xoshiro"]
pytestmark = pytest.mark.skipif(
    bool(pi_c.missing()), reason=pi_c.missing() or "-"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("pi_c")
    pi_c.build(place)
    return place


@pytest.fixture(scope="module")
def c(folder):
    return pi_c.load(next(folder.glob("*.so")))


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("release", [True, False])
def test_a_generator_estimates_pi(c, generator, release):
    hits = c.hits(10**6, 5, generator, release)
    assert sigmas(4 * hits / 10**6, 10**6) < 5
    assert hits == c.hits(10**6, 5, generator)


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("threads", [1, 3, 4 * (os.cpu_count() or 1)])
def test_threads_share_the_shots(c, generator, threads, packed):
    shots = 10**5 + 1
    threads = min(threads, 64)
    hits = pi_c.hits_threads(c, shots, threads, generator, packed=packed)
    assert sigmas(4 * hits / shots, shots) < 5


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((0, 1), ValueError),
        ((-3, 1), ValueError),
        ((2.5, 1), TypeError),
        (("x", 1), TypeError),
        ((9, 1, "dice"), ValueError),
        ((9, 1, "rand", True, 64), ValueError),
        ((9, 1, "rand", True, -2), ValueError),
    ],
)
def test_bad_arguments_are_refused(c, arguments, error):
    for function in (c.hits, c.raw):
        with pytest.raises(error):
            function(*arguments)


def test_rand_r_knows_27_bits_of_its_seed(c):
    assert c.raw(1000, 5) == c.raw(1000, 5 + 2**27) != c.raw(1000, 6)


@pytest.mark.parametrize("generator", GENERATORS)
def test_raw_numbers_have_31_bits(c, generator):
    numbers = np.frombuffer(c.raw(10**5, 5, generator), np.int32)
    assert numbers.min() >= 0
    assert abs(numbers.mean() / 2**30 - 1) < 0.02


def test_the_packages_steps_work(folder):
    assert "fails" not in [pi_c.works(folder, s) for s in pi_c.STEPS]


def test_a_build_that_fails_says_so(tmp_path):
    pi_c.project(tmp_path)
    (tmp_path / "pi_c.c").write_text("no C")
    assert pi_c.works(tmp_path, "compile") == "fails"


@pytest.mark.skipif(
    hasattr(sys, "_is_gil_enabled") and not sys._is_gil_enabled(),
    reason="no limited API without a GIL",
)
def test_the_limited_api_loads(tmp_path):
    library = pi_c.build(tmp_path, limited=True)
    assert library.name == "pi_c.abi3.so"
    assert pi_c.loads(sys.executable, tmp_path)


def test_without_a_compiler_it_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert pi_c.missing() == "no C compiler"


def test_the_kernel_counts_sleeps():
    sleeps, share = machine.waits(lambda: time.sleep(0.001))
    assert sleeps >= 1 and 0 <= share <= 1
