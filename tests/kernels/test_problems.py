"""Each way of the eight problems computes what plain Python computes."""

import functools

import numpy as np
import pytest

from cases import skip_if
from onthefly.kernels import ahead
from onthefly.kernels.forms import loaded, unloaded
from onthefly.kernels.methods import KINDS
from onthefly.kernels.problems import PROBLEMS

WAYS = [
    (problem, way)
    for problem in PROBLEMS.values()
    for way in problem.variants
    if not KINDS[way].library
]
EACH_WAY = pytest.mark.parametrize(
    ("problem", "way"),
    [
        pytest.param(
            problem,
            way,
            id=f"{problem.name}-{way}",
            marks=skip_if(
                KINDS[way].ahead and ahead.missing(KINDS[way].suffix)
            ),
        )
        for problem, way in WAYS
    ],
)
SHARED = [(problem, way) for problem, way in WAYS if KINDS[way].workers]
EACH_SHARED = pytest.mark.parametrize(
    ("problem", "way"), SHARED, ids=[f"{p.name}-{w}" for p, w in SHARED]
)
EACH = pytest.mark.parametrize(
    "problem", PROBLEMS.values(), ids=list(PROBLEMS)
)
WITHOUT_SEED = {"pi"}  # its data follow from the size alone


@functools.cache
def expected(name, n):
    return PROBLEMS[name].result("Python", n, seed=1)


def sizes(problem, *asked):
    """Return the sizes at which results can be compared."""
    return [problem.judged] if problem.name == "pi" else asked


@EACH_WAY
def test_a_way_computes_what_python_computes(problem, way):
    for n in sizes(problem, 1, 2, 999):
        result = problem.result(way, n, seed=1)
        assert problem.same(result, expected(problem.name, n)), n


@EACH_SHARED
def test_any_number_of_workers_computes_the_same(problem, way):
    form = KINDS[way].form
    for n in sizes(problem, 2, 999):  # 2: fewer than there are workers
        data = loaded(problem.data(n, seed=1), form)
        for workers in (1, 3):
            result = problem.function(way)(*data, workers=workers)
            result = unloaded(result, form)
            assert problem.same(result, expected(problem.name, n)), n


@EACH_WAY
def test_a_way_leaves_its_data_as_they_are(problem, way):
    form = KINDS[way].form
    made = problem.data(999, seed=1)
    data = loaded(made, form)
    problem.function(way)(*data)
    for before, after in zip(made, data, strict=True):
        if isinstance(before, np.ndarray):
            after = unloaded(after, form)
        assert np.array_equal(after, before)


@EACH
def test_data_follow_from_size_and_seed(problem):
    once, again, other = (problem.data(1000, seed) for seed in (1, 1, 2))
    assert all(map(np.array_equal, once, again))
    if problem.name not in WITHOUT_SEED:
        assert not all(map(np.array_equal, once, other))
