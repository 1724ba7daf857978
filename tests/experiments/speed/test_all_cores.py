"""The kernel on several threads, and the two controls."""

import numba
import pytest

from onthefly.clock import sample
from onthefly.experiments.speed import all_cores, throughput
from onthefly.kernels import pi_limit, pi_limit_c
from onthefly.timings import Timings

needs_avx2 = pytest.mark.skipif(
    bool(throughput.missing()), reason=throughput.missing() or "-"
)
SHOTS = 2 * pi_limit.BLOCK + 5


def test_every_way_counts_the_same_hits():
    twins = None if pi_limit_c.missing() else pi_limit_c.library()
    ways = all_cores.ways(SHOTS, 9, twins)
    if twins is None:
        del ways["OpenMP"]
    answer = pi_limit.hits_limit_threads(SHOTS, 1, 9)
    found = {way(n) for way in ways.values() for n in (1, 2, 3)}
    assert found == {answer}


def test_numba_is_not_asked_for_more_threads_than_it_has():
    most = numba.config.NUMBA_NUM_THREADS
    ways = {"prange": id, "nogil threads": id}
    jobs = all_cores.jobs(ways, [1, most + 1])
    assert "prange, 1" in jobs and f"prange, {most + 1}" not in jobs
    assert f"nogil threads, {most + 1}" in jobs


def test_a_controls_work_grows_with_its_threads():
    jobs = all_cores.jobs({"mix": id, "prange": id}, [1, 2])
    as_long = dict.fromkeys(jobs, lambda: 1.0)
    times = Timings.of(sample(as_long, budget=0.1, first="unknown"))
    speeds = all_cores.speeds(times)
    assert speeds["mix"][1].value == speeds["prange"][1].value == 1
    assert speeds["mix"][2].value == 2
    assert speeds["prange"][2].value == 1


@needs_avx2
def test_the_controls_run(monkeypatch):
    monkeypatch.setattr(all_cores, "CHAIN", 10)
    monkeypatch.setattr(all_cores, "MIX", 10)
    all_cores.chain(2)
    all_cores.mix(2)
