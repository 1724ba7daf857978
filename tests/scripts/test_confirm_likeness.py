"""Which of the eight problems a function behaves like."""

import random

import numpy as np
import pytest

from cases import eight_problems
from confirming import advice, apart, likeness, request, traits
from confirming.likeness import Evidence
from onthefly import clock, results
from onthefly.experiments.choice import prediction
from onthefly.experiments.choice.bench import Bench
from onthefly.experiments.choice.problems import PROBLEMS
from onthefly.timings import Series, Timings

SIGNS = {
    "pi": traits.RANDOM,
    "polynomial": traits.STORES,
    "dot": traits.SUMS,
    "filter": traits.CARRIED,
    "stencil": traits.NEIGHBOURS,
    "histogram": traits.SCATTERS,
    "collatz": traits.OPEN,
    "words": traits.TEXT,
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_kernels_of_the_book_show_their_signs(name):
    assert SIGNS[name] in likeness._signs(name)


def test_signs_tell_the_kernels_apart():
    every = [likeness._signs(name) for name in PROBLEMS]
    assert len(set(every)) == len(every)


def average(x):
    out, last = np.empty(len(x)), x[0]
    for i in range(len(x)):
        last = last * 0.7 + x[i] * 0.3
        out[i] = last
    return out


def chase(after, turns):
    place = total = 0
    for _ in range(turns):
        place = after[place]
        total += place
    return total


def jacobi(a, b):
    for i in range(1, len(a) - 1):
        for j in range(1, len(a) - 1):
            b[i, j] = a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]


def bins(x, counts):
    for v in x:
        counts[int(v * 10)] += 1


def escapes(points):
    found = []
    for c in points:
        z = 0j
        while abs(z) <= 2:
            z = z * z + c
        found.append(z)
    return found


def flips(n):
    return sum(random.random() < 0.5 for _ in range(n))


def product(n):
    found = 1
    for k in range(2, n):
        found *= k
    return found


def deep(n):
    return 1 if n < 2 else deep(n - 1) + 1


def in_order(names):
    return sorted(names, key=str.lower)


def steps(n):
    k = total = 0
    while k < n:
        total += k
        k += 1
    return total


@pytest.mark.parametrize(
    ("function", "signs"),
    [
        (average, {traits.CARRIED}),
        (chase, {traits.CARRIED}),
        (jacobi, {traits.STORES, traits.NEIGHBOURS}),
        (bins, {traits.SCATTERS}),
        (escapes, {traits.OPEN, traits.STORES}),
        (flips, {traits.RANDOM, traits.SUMS}),
        (product, {traits.SUMS}),
        (deep, {traits.RECURSES}),
        (in_order, {traits.SORTS}),
    ],
)
def test_signs_of_other_loops(function, signs):
    assert traits.read([function]) == signs


def test_a_loop_that_counts_its_steps_is_not_open():
    assert traits.OPEN not in traits.read([steps])


def test_without_a_source_nothing_is_read():
    space = {}
    exec("def f(n): return n", space)
    assert traits.read([space["f"]]) is None


def known():
    """Evidence of four problems, in round numbers."""
    return {
        "dot": Evidence(40e-9, 40.0, frozenset({traits.SUMS})),
        "polynomial": Evidence(80e-9, 300.0, frozenset({traits.STORES})),
        "filter": Evidence(50e-9, 30.0, frozenset({traits.CARRIED})),
        "words": Evidence(
            150e-9, None, frozenset({traits.TEXT, traits.SCATTERS})
        ),
    }


@pytest.mark.parametrize("name", known())
def test_a_problem_is_like_itself(name):
    own = known()[name]
    assert likeness.nearest(own, known()).name == name
    # Arrays cost Python several times what lists do.
    slower = Evidence(4 * own.python, own.gain, own.signs)
    assert likeness.nearest(slower, known()).name == name


@pytest.mark.parametrize(
    "own",
    [
        # What was measured is far, whatever the source shows.
        Evidence(4e-3, 1.1, frozenset({traits.SUMS})),
        # The source is like none.
        Evidence(40e-9, 40.0, frozenset({traits.RECURSES})),
        Evidence(150e-9, None, frozenset({traits.SORTS, traits.TEXT})),
        # Between two.
        Evidence(
            60e-9, 110.0, frozenset({traits.SUMS, traits.STORES})
        ),
    ],
)  # fmt: skip
def test_what_is_unlike_them_cannot_be_told(own):
    found = likeness.nearest(own, known())
    assert found.name == ""
    assert found.why


def test_one_problem_is_enough_and_none_is_too_few():
    own = known()["dot"]
    assert likeness.nearest(own, {"dot": own}).name == "dot"
    found = likeness.nearest(own, {})
    assert not found.name and found.why


def test_problems_without_a_common_size_are_left_out():
    dot = Timings(
        Series(name, n, None, (n * 1e-8,) * 8)
        for name, n in [("Python", 10), ("Python", 100), ("Numba", 1000)]
    )
    filter_ = Timings([Series("Python", 10, None, (1e-7,) * 8)])
    words = Timings([Series("NumPy", 10, None, (1e-7,) * 8)])
    timings = {"dot": dot, "filter": filter_, "words": words}
    found = likeness.of_problems(
        results.Results("eight-problems", "S", timings=timings)
    )
    assert [*found] == ["filter"]
    assert found["filter"].python == pytest.approx(1e-8)


@pytest.mark.parametrize(
    ("size", "ways", "gains"),
    [
        (100_000, {"NumPy"}, True),
        (3000, {"NumPy", "Python"}, False),  # not resolved
        (10, {"Python"}, False),  # nothing to gain
    ],
)
def test_the_choice_names_who_wins_or_all_that_may(size, ways, gains):
    choices = prediction.choices(eight_problems())["polynomial"]
    said = advice._winner(choices, size, {"calls": 1000, "device": False})
    told = said.split(": predicted")[0]
    assert {w for w in ("NumPy", "Numba", "Python") if w in told} == ways
    assert ("×" in said) == gains


SIZES = (300, 1000, 3000)
MAKER = """
from onthefly.experiments.choice.forms import loaded
from onthefly.experiments.choice.problems import PROBLEMS

def make(n):
    return loaded(PROBLEMS[{name!r}].data(n), "lists")
"""


@pytest.fixture(scope="module")
def measured_problems():
    """Results of the eight problems, as far as a likeness needs them."""
    times = {}
    for name, problem in PROBLEMS.items():
        ways = [w for w in ("Python", "Numba") if w in problem.variants]
        times[name] = clock.measure(
            Bench(problem).variants(ways), sizes=SIZES, budget=0.5
        )
    return results.Results("eight-problems", "S", timings=times)


@pytest.mark.slow
@pytest.mark.alone
def test_the_kernels_of_the_book_are_told(measured_problems, tmp_path):
    """Most of them, measured as a user's, and none is taken for another."""
    told = {}
    for name in PROBLEMS:
        path = tmp_path / f"making_{name}.py"
        path.write_text(MAKER.format(name=name))
        kernel = f"onthefly.kernels.{name}_python:{name}_python"
        asked = request.Request(kernel, SIZES, (1, 2), 1.5, 0, f"{path}:make")
        found = apart.measured(asked, 60)
        told[name] = likeness.likeness(found, measured_problems).name
    assert all(given in ("", name) for name, given in told.items()), told
    assert sum(given == name for name, given in told.items()) >= 6, told
