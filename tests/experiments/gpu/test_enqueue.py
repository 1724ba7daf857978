"""What a clock waits for: the call, or the work."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from onthefly.experiments.gpu import enqueue
from onthefly.measure import nogil
from onthefly.measure.timings import Timings


def test_a_queue_returns_before_it_is_done():
    call, wait = enqueue.lane(2**20)
    times = enqueue.stopwatches(call, wait, [1, 2], rounds=6)
    for n in (1, 2):
        returned, done = (
            np.array(times.series(name, n).values)
            for name in (enqueue.RETURNED, enqueue.DONE)
        )
        assert (returned < done).all()
    gains = enqueue.gains(Timings.of(times))
    assert gains[enqueue.DONE][1].value == 1


def test_the_stopwatch_calls_as_often_as_asked():
    made_calls, waits = [], []
    times = enqueue.stopwatches(
        lambda: made_calls.append(0), lambda: waits.append(0), [1, 3],
        calls=5, rounds=6, budget=9,
    )  # fmt: skip
    assert len(made_calls) == 7 * 5 * (1 + 3)  # one round is the first
    assert len(waits) == 2 * 7 * 2
    assert len(times.series(enqueue.DONE, 3).values) == 6


def test_a_sample_of_the_profile_ends_when_the_work_is_done():
    with ThreadPoolExecutor(1) as worker:
        reports = nogil.profile(
            {"handed over": lambda: worker.submit(time.sleep, 1e-3)},
            (1, 2),
            budget=0.5,
            wait=lambda: worker.submit(int).result(),
        )
    times = reports["handed over"].times
    assert min(times.series("handed over", 1).values) >= 1e-3
    assert min(times.series("handed over", 2).values) >= 2e-3  # one worker
