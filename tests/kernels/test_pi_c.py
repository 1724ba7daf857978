"""The C extension: its generators, its threads, its refusals."""

import os

import numpy as np
import pytest

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


def test_without_a_compiler_it_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert pi_c.missing() == "no C compiler"
