"""The talk's formula, tried on cells that no fit has seen."""

import pytest

from onthefly.experiments.overheads import formula
from onthefly.quantity import EXAMPLE
from onthefly.timings import Series, Timings

SIZES, COUNTS = [10, 100, 1000, 10_000, 100_000], [1, 2, 4, 8, 16]


def timings(jobs):
    """Return Timings of jobs that return their seconds."""
    return Timings(
        [
            Series(name, n, None, (job(n),) * 6)
            for name, job in jobs.items()
            for n in SIZES
        ],
        origin=EXAMPLE,
    )


def graph(N, n):
    return 5 + N * (1 + n / 1000)


def eager(N, n):
    return 2 + N * (4 + n / 500)


def test_the_repaired_model_finds_what_a_step_and_a_run_cost():
    jobs = formula.loops(COUNTS, eager=eager, graph=graph)
    assert jobs["eager, 4"](1000) == eager(4, 1000)
    times = timings(jobs | {"round trip": lambda n: 30})
    found = formula.tried(times, SIZES, COUNTS, times.least)
    assert found.step["a"].value == pytest.approx(3, rel=1e-3)
    assert found.step["b"].value == pytest.approx(0.001, rel=1e-3)
    assert found.once.value == pytest.approx(3, rel=1e-3)
    assert found.error("less one run").value < 0.01
    assert found.error("N fitted steps") > found.error("less one run")
    assert found.error("slide 20").value > 1
