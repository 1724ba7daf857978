"""The C extension: its loops, its threads, its refusals."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from cases import skip_if
from onthefly.kernels import split, z_score
from onthefly.kernels.pi import pi_c

GENERATORS = ["rand_r", "xoshiro"]
pytestmark = skip_if(pi_c.missing())


@pytest.fixture(scope="module")
def c(tmp_path_factory):
    return pi_c.load(pi_c.build(tmp_path_factory.mktemp("pi_c")))


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_generator_estimates_pi(c, generator):
    hits = c.hits(10**6, 5, generator)
    assert z_score(4 * hits / 10**6, 10**6) < 5
    assert hits == c.hits_held(10**6, 5, generator)


@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize("threads", [1, 3, 20])
def test_threads_share_the_shots(c, threads, held):
    hits, shots = c.hits_held if held else c.hits, 10**5 + 1
    with ThreadPoolExecutor(threads) as pool:
        total = sum(pool.map(hits, split(shots, threads), range(threads)))
    assert z_score(4 * total / shots, shots) < 5


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((0, 1), ValueError),
        ((-3, 1), ValueError),
        ((2.5, 1), TypeError),
        (("x", 1), TypeError),
        ((9, 1, "dice"), ValueError),
        ((9,), TypeError),
    ],
)
def test_bad_arguments_are_refused(c, arguments, error):
    for function in (c.hits, c.hits_held):
        with pytest.raises(error):
            function(*arguments)
