"""The talk's formula, tried on cells that no fit has seen."""

import pytest

from onthefly.experiments.overheads import formula
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings

SIZES, COUNTS = [10, 100, 1000, 10_000, 100_000], [1, 2, 4, 8, 16]


def timings(jobs):
    """Return Timings of jobs that return their seconds."""
    return Timings(
        [
            Series(name, n, None, (job(n),) * 6)
            for name, job in jobs.items()
            for n in SIZES
        ],
        origin="another machine",
    )


def graph(N, n):
    return 5 + N * (1 + n / 1000)


def eager(N, n):
    return 2 + N * (4 + n / 500)


def test_the_repaired_model_gives_the_cost_of_a_step_and_a_run():
    jobs = formula.loops(COUNTS, eager=eager, graph=graph)
    assert jobs["eager, 4"](1000) == eager(4, 1000)
    times = timings(jobs | {"round trip": lambda n: 30})
    models = formula.tried(times, SIZES, COUNTS, times.least)
    assert models.step["a"].value == pytest.approx(3, rel=1e-3)
    assert models.step["b"].value == pytest.approx(0.001, rel=1e-3)
    assert models.once.value == pytest.approx(3, rel=1e-3)
    assert models.error("less one run").value < 0.01
    assert models.error("N fitted steps") > models.error("less one run")
    assert models.error("slide 20").value > 1
    for cells in models.ratios.values():  # of those that no fit has seen
        assert len(cells) == 25 - 9 and (10, 1) not in cells
