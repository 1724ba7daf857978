"""The kernel on several threads, and the two controls."""

from onthefly.clock import sample
from onthefly.experiments.speed import all_cores
from onthefly.kernels import pi_limit, pi_limit_c

SHOTS = 2 * pi_limit.BLOCK + 5


def test_every_way_counts_the_same_hits():
    twins = None if pi_limit_c.missing() else pi_limit_c.library()
    ways = all_cores.ways(SHOTS, 9, twins)
    if twins is None:
        del ways["OpenMP"]
    answer = pi_limit.hits_limit_threads(SHOTS, 1, 9)
    assert {way(n) for way in ways.values() for n in (1, 2, 3)} == {answer}


def test_a_controls_work_grows_with_its_threads():
    jobs = all_cores.jobs({"mix": id, "prange": id}, [1, 2])
    as_long = dict.fromkeys(jobs, lambda: 1.0)
    times = sample(as_long, budget=0.1, first="unknown")
    speeds = all_cores.speeds(times)
    assert speeds["mix"][1].value == speeds["prange"][1].value == 1
    assert speeds["mix"][2].value == 2
    assert speeds["prange"][2].value == 1
