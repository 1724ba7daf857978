"""Calls beside busy processes."""

import time

from onthefly.experiments.numba.neighbours import Neighbours


def test_neighbours_sleep_wake_and_end():
    with Neighbours(1) as others:
        (process,) = others.processes

        def spent():
            before = sum(process.cpu_times()[:2])
            time.sleep(0.1)
            return sum(process.cpu_times()[:2]) - before

        sizes = []
        alone = others.asleep(sizes.append, seconds=0.01)(5)
        assert spent() == 0
        beside = others.awake(sizes.append, seconds=0.01)(5)
        # At once, but where other tests have both cores.
        assert any(spent() > 0 for _ in range(50))
    assert set(sizes) == {5} and not process.is_running()
    assert set(alone) == {
        f"alone, {k}" for k in ("median", "mean", "longest")
    }
    assert beside["beside, longest"] >= beside["beside, median"] > 0
