"""What is compiled ahead: builds are kept, and what is missing is named."""

import importlib

import pytest

from cases import skip_if
from onthefly.kernels import ahead
from onthefly.kernels.forms import loaded, unloaded
from onthefly.kernels.problems import PROBLEMS
from onthefly.measure import libraries

# Sources that are modules of Python, too, and the form of their data.
MODULES = {"mypyc": "lists", "pythran": "arrays"}


@pytest.mark.parametrize("way", MODULES)
@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=list(PROBLEMS))
def test_a_source_computes_the_same_without_its_compiler(problem, way):
    module = importlib.import_module(f"onthefly.kernels.eight_{way}")
    n = problem.judged
    data = loaded(problem.data(n), MODULES[way])
    result = unloaded(
        getattr(module, f"{problem.name}_{way}")(*data), MODULES[way]
    )
    assert problem.same(result, problem.result("Python", n))


@skip_if(ahead.missing("cython"))
def test_a_build_is_kept_until_its_source_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("ONTHEFLY_BUILD", str(tmp_path))
    ahead.library.cache_clear()
    try:
        first = ahead.library("cython")
        made = first.stat().st_mtime_ns
        ahead.library.cache_clear()
        assert ahead.library("cython") == first
        assert first.stat().st_mtime_ns == made
        assert [*tmp_path.rglob("*.so")] == [first]
    finally:
        ahead.library.cache_clear()


def test_without_a_compiler_of_c_it_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(libraries.Missing, match="compiler is missing"):
        ahead.build("cython", tmp_path)


BUILT = [
    pytest.param(way, marks=skip_if(ahead.missing(way)))
    for way in ahead.SOURCES
]


@pytest.mark.parametrize("shots", [0, -1])
@pytest.mark.parametrize("way", BUILT)
def test_pi_refuses_less_than_a_shot(way, shots):
    with pytest.raises(ValueError, match="at least 1"):
        getattr(ahead.module(way), f"pi_{way}")(shots)
