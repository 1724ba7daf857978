"""Speeds of the kernel and of the controls on several threads."""

from onthefly.experiments.speed import all_cores
from onthefly.measure.clock import sample
from onthefly.measure.timings import Timings


def test_a_controls_work_grows_with_its_threads():
    jobs = all_cores.jobs({"mix": id, "prange": id}, [1, 2])
    as_long = dict.fromkeys(jobs, lambda: 1.0)
    times = Timings.of(sample(as_long, budget=0.1, first="unknown"))
    speeds = all_cores.speeds(times)
    assert speeds["mix"][1].value == speeds["prange"][1].value == 1
    assert speeds["mix"][2].value == 2
    assert speeds["prange"][2].value == 1
