"""Each way of the eight problems computes what plain Python computes."""

import pytest

from onthefly.experiments.choice.problems import KINDS, PROBLEMS

WAYS = [
    (problem, way)
    for problem in PROBLEMS.values()
    for way in problem.ways
    if not KINDS[way].library
]


@pytest.mark.parametrize("n", [10, 999, 10_000])
@pytest.mark.parametrize(
    ("problem", "way"), WAYS, ids=[f"{p.name}-{w}" for p, w in WAYS]
)
def test_a_way_computes_what_python_computes(problem, way, n):
    n = 10_000 if problem.name == "pi" else n
    found = problem.result(way, n, seed=1)
    assert problem.same(found, problem.result("Python", n, seed=1))


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=list(PROBLEMS))
def test_a_way_is_there_or_there_is_a_reason(problem):
    named = {*problem.ways, *problem.without}
    assert named == {*KINDS}
    assert not set(problem.ways) & set(problem.without)
