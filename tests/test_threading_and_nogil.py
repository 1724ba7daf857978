"""Hand-overs of the GIL, counts in threads, and π without the GIL."""

import os
import sys
import threading
import time

import numpy as np
import pytest

from cases import bad_shots
from onthefly import machine
from onthefly.experiments.gil import (
    calls,
    count_standalone,
    handovers_standalone,
)
from onthefly.experiments.gil.handovers_standalone import (
    handovers,
    onset,
    released,
)
from onthefly.kernels import pi_nogil, sigmas
from onthefly.tools import interpreters

GIL = getattr(sys, "_is_gil_enabled", lambda: True)()
needs_gil = pytest.mark.skipif(not GIL, reason="this build has no GIL")


@needs_gil
def test_a_loop_of_the_interpreter_holds_the_gil():
    found = handovers(lambda: sum(k for k in range(10**5)), 5)
    assert found["ticks"] == 0
    assert found["held"] == 1
    assert found["seconds"] > 0


def test_a_sleep_lets_go():
    assert released(lambda: time.sleep(0.002)) > 0


def test_the_switch_interval_is_put_back():
    before = sys.getswitchinterval()

    def fail():
        fail.calls += 1
        if fail.calls > 1:
            raise OSError("on purpose")

    fail.calls = 0
    with pytest.raises(OSError, match="on purpose"):
        handovers(fail)
    assert sys.getswitchinterval() == before


@needs_gil
def test_the_onset_is_where_a_call_begins_to_let_go():
    def make(size):
        if size < 37:
            return lambda: sum(range(100))
        return lambda: time.sleep(0.0005)

    assert onset(make, 1, 100, calls=5) == 37
    assert onset(make, 50, 100, calls=5) is None  # lets go at both ends
    assert onset(make, 1, 30, calls=5) is None  # at neither


@pytest.mark.parametrize("name", count_standalone.KINDS)
def test_a_kind_counts_all(name):
    assert count_standalone.KINDS[name](1234) == 1234


@pytest.mark.parametrize("threads", [1, 3, 4 * (os.cpu_count() or 1)])
def test_wrong_counts_are_counted(threads):
    kinds = {"right": int, "wrong": lambda size: size - 1}
    found = count_standalone.try_counts(threads, 0.01, kinds, [50])
    counts = found["right"]["counts"]
    assert counts and counts % count_standalone.TASKS == 0
    assert found["right"]["wrong"] == 0
    assert found["wrong"]["wrong"] == counts
    assert found["wrong"]["seen"] == [[50, 49]] * 5


@pytest.mark.parametrize("name", count_standalone.LOOPS)
def test_a_loop_counts_right_in_one_thread(name):
    found = count_standalone.try_loops(1, 0.01)[name]
    assert found["runs"] and not found["wrong"] and not found["worst"]


def test_local_counters_lose_nothing():
    found = count_standalone.try_loops(8, 0.2)
    for name, result in found.items():
        assert result["runs"]
        assert "shared" in name or not result["wrong"]


@pytest.mark.parametrize("fresh", [True, False])
def test_an_unfinished_count_is_neither_empty_nor_full(monkeypatch, fresh):
    """What is seen is chance; here it is given."""
    seen = iter([0, 1, 77, 76, 40])
    monkeypatch.setattr(np, "count_nonzero", lambda _: next(seen))
    assert count_standalone.unfinished(77, 5, fresh) == [1, 76, 40]


def test_a_refilled_array_is_counted():
    array = np.full(77, 3.0)
    assert count_standalone.refilled(array) == 77
    assert count_standalone.refilled(array, sum) == 77


@pytest.mark.parametrize(
    "python", interpreters.find(), ids=lambda p: p["version"]
)
def test_the_scripts_run_under_any_python(python):
    found = machine.run_standalone(
        python["path"], count_standalone, "--budget", 0.02, "--threads", 2
    )
    assert found["gil"] == python["gil"]
    assert set(found["loops"]) == set(count_standalone.LOOPS)
    assert bool(found["counts"]) == bool(found["numpy"])
    found = machine.run_standalone(python["path"], handovers_standalone)
    if found["gil"]:
        assert found["ticks"]["Python loop"] == 0


@pytest.mark.parametrize("shots", [1, 7, 200_001])
@pytest.mark.parametrize("threads", [1, 2, 4 * (os.cpu_count() or 1)])
def test_threads_share_all_the_shots(shots, threads):
    for hits in (pi_nogil.hits_rewritten_nogil, pi_nogil.hits_original_nogil):
        found = pi_nogil.pi_nogil_threads(shots, threads, hits)
        assert 0 <= found <= 4
        assert shots < 100 or sigmas(found, shots) < 5


def test_the_rewritten_loop_counts_the_same():
    np.random.seed(3)
    hits = pi_nogil.hits_original(5000)
    np.random.seed(3)
    assert pi_nogil.hits_rewritten(5000) == hits
    pi_nogil.stream(3)
    hits = pi_nogil.hits_original_nogil(5000)
    pi_nogil.stream(3)
    assert pi_nogil.hits_rewritten_nogil(5000) == hits


def test_a_seed_repeats_the_result():
    found = []
    for seed in (7, 7, 8):
        pi_nogil.stream(seed)
        found.append(pi_nogil.pi_nogil(10_001))
    assert found[0] == found[1] != found[2]
    assert sigmas(found[0], 10_001) < 5


@bad_shots
def test_bad_shots_are_refused(shots, error):
    for estimate in (pi_nogil.pi_nogil, pi_nogil.pi_nogil_threads):
        with pytest.raises(error, match="shots must be"):
            estimate(shots)


def test_each_thread_has_its_own():
    made = calls.together(lambda: id(calls.own(dict, ())), 1)
    first, again = made()[0], made()[0]
    assert first == again != id(calls.own(dict, ()))


@pytest.mark.parametrize("threads", [1, 2, 4 * (os.cpu_count() or 1)])
def test_calls_are_made_at_once(threads):
    gate = threading.Barrier(threads)
    places = calls.together(lambda: gate.wait(5), threads)()
    assert sorted(places) == list(range(threads))


def test_an_error_in_a_thread_is_raised():
    with pytest.raises(ZeroDivisionError):
        calls.together(lambda: 1 / 0, 2)()


def test_ones_and_bins_are_counted():
    assert count_standalone.local_add([0, 1, 1.0, 2, True]) == 3
    bins = [0, 0, 5]
    calls.tally(bins, [0, 2, 2])
    assert bins == [1, 0, 7]


def test_local_loops_store_elsewhere_than_shared_ones():
    stores = {
        name: calls.adds_and_stores(loop)[1]
        for name, loop in count_standalone.LOOPS.items()
    }
    for name, store in stores.items():
        assert store == ("STORE_FAST" if "local" in name else "STORE_GLOBAL")


def test_wrong_counts_are_summed_over_runs():
    runs = [
        {"a": {"counts": 9, "wrong": 2}, "b": {"counts": 9, "wrong": 0}},
        {"a": {"counts": 18, "wrong": 1}},
    ]
    assert count_standalone.wrong_of(runs, ["a"]) == (3, 27)
    assert count_standalone.wrong_of(runs, ["a", "b"]) == (3, 36)


def test_own_streams_count_hits():
    shots = 10**5
    found = calls.together(lambda: pi_nogil.hits_own(shots), 4)()
    assert all(sigmas(4 * hits / shots, shots) < 5 for hits in found)
    assert len(set(found)) > 1
