"""The overhead of heavy functions."""

import pytest

from onthefly.experiments.overheads import heavy_tensors
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings


def test_overhead_is_all_but_the_work():
    """The work of a size is what it takes beyond the smallest."""
    seconds = {
        "TF solve": {8: 3.0, 32: 10.0},
        "TF solve, resident": {8: 1.0, 32: 6.0},
    }
    times = Timings(
        [
            Series(name, n, None, (value,) * 6)
            for name, points in seconds.items()
            for n, value in points.items()
        ],
        origin="another machine",
    )
    overhead = heavy_tensors.overhead(times, "TF solve")
    assert list(overhead) == [32 * 32]
    assert overhead[1024].value == pytest.approx(1 - (6 - 1) / 10)
    assert overhead[1024].origin == "another machine"


def test_both_kits_find_the_same_of_each_function():
    sizes = {name: [8] for name in heavy_tensors.FUNCTIONS}
    jobs, job_sizes = heavy_tensors.heavy_jobs(sizes)
    assert set(jobs) == set(job_sizes)
    assert len(jobs) == 4 * len(heavy_tensors.FUNCTIONS)
