"""Measuring, with a clock that moves only when a candidate runs."""

import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from onthefly.kernels import count
from onthefly.measure import clock
from onthefly.measure.samples import Reading
from onthefly.measure.timings import Timings


class FakeClock:
    """A clock that moves only when a candidate runs."""

    def __init__(self):
        self.now = 0.0
        self.calls = []

    def __call__(self):
        return self.now

    def work(self, name, seconds, first=None):
        """Return a candidate that takes `seconds` a call."""
        left = [first if first is not None else seconds]

        def run(*size):
            self.calls.append((name, *size))
            self.now += left.pop() if left else seconds

        return run


def measured(*arguments, **options):
    """Return the Timings of what the stopwatch measures."""
    return Timings.of(clock.measure(*arguments, **options))


def sampled(*arguments, **options):
    """Return the Timings of samplers."""
    return Timings.of(clock.sample(*arguments, **options))


def test_measure_times_each_candidate():
    fake = FakeClock()
    work = {"a": fake.work("a", 0.02), "b": fake.work("b", 0.005)}
    times = measured(work, budget=10, rounds=8, timer=fake)
    assert times.seconds("a").value == pytest.approx(0.02)
    assert times.seconds("b").value == pytest.approx(0.005)
    assert times.ratio("a", "b").value == pytest.approx(4)
    assert times.names == ["a", "b"]


def test_measure_does_not_count_the_first_call():
    fake = FakeClock()
    times = measured(
        {"jit": fake.work("jit", 0.02, first=3.0)}, budget=9, timer=fake
    )
    assert times.first("jit").value == pytest.approx(3.0)
    assert max(times.series("jit").values) == pytest.approx(0.02)


def test_measure_calibrates_loops_to_the_sample():
    fake = FakeClock()
    times = measured(
        {"quick": fake.work("quick", 1e-5)}, budget=1, rounds=6, timer=fake
    )
    series = times.series("quick")
    assert clock.MIN_SAMPLE <= series.loops * 1e-5 < 3 * clock.MIN_SAMPLE
    assert series.values[0] == pytest.approx(1e-5)


def test_measure_stops_at_its_budget():
    fake = FakeClock()
    clock.measure({"a": fake.work("a", 1.0)}, budget=5.0, timer=fake)
    assert 5.0 <= fake.now <= 6.0


def test_measure_interleaves_in_random_order():
    fake = FakeClock()
    work = {k: fake.work(k, 0.02) for k in "abc"}
    clock.measure(work, budget=60, rounds=30, timer=fake, seed=1)
    rounds = fake.calls[6:]  # after first calls and calibration
    orders = {tuple(rounds[k : k + 3]) for k in range(0, len(rounds), 3)}
    assert all(len(set(order)) == 3 for order in orders) and len(orders) > 3


def test_measure_passes_sizes_and_waits_for_the_device():
    fake, waits = FakeClock(), []
    times = measured(
        {"a": fake.work("a", 0.02)},
        sizes=[1, 2],
        rounds=6,
        budget=9,
        timer=fake,
        wait=lambda: waits.append(fake.now),
    )
    assert times.sizes() == [1, 2]
    assert {call[1] for call in fake.calls} == {1, 2}
    assert len(waits) == 2 * len(fake.calls)  # before and after each sample


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({}, 1), "no candidates"),
        (({"a": int}, 0), "budget"),
        (({"a": int}, math.nan), "budget"),
    ],
)
def test_measure_refuses(arguments, message):
    candidates, budget = arguments
    with pytest.raises(ValueError, match=message):
        clock.measure(candidates, budget=budget)


def test_samples_that_time_themselves_go_in_rounds():
    order = []

    def sampler(name):
        def take(size):
            order.append((name, size))
            return 2.0 * size

        return take

    times = sampled(
        {k: sampler(k) for k in "ab"}, sizes=[1, 3], rounds=20, seed=4
    )
    assert times.names == ["a", "b"]
    assert times.seconds("a", 3).value == 6
    assert times.ratio("a", "b", 1).value == 1
    first, rounds = order[:4], order[4:]
    assert first == [("a", 1), ("a", 3), ("b", 1), ("b", 3)]
    turns = {tuple(rounds[k : k + 4]) for k in range(0, len(rounds), 4)}
    assert all(len(set(turn)) == 4 for turn in turns) and len(turns) > 3


def test_a_samplers_first_answer_is_its_first_call():
    warming = iter([9.0])
    samplers = {"a": lambda: next(warming, 1.0)}
    times = sampled(samplers, rounds=6)
    assert times.first("a").value == 9
    assert times.series("a").values == (1.0,) * 6
    times = sampled({"a": lambda: 1.0}, rounds=6, first="unknown")
    assert times.first("a") is None


def test_one_sample_may_give_several_series():
    def take(size):
        return {"returned": 1.0, ("begin", 7): 2.0 * size}

    times = sampled({"call": take}, sizes=[5], rounds=6)
    assert times.names == ["returned", "begin"]
    assert times.seconds("returned", 5).value == 1
    assert times.seconds("begin", 7).value == 10
    assert times.first("begin", 7).value == 10


def test_samplers_stop_at_their_budget_but_not_before_enough_rounds():
    fake = FakeClock()
    slow = fake.work("slow", 1.0)
    times = sampled({"a": lambda: slow() or 1.0}, budget=2, timer=fake)
    assert len(times.series("a").values) == 6
    times = sampled({"a": lambda: slow() or 1.0}, budget=9, timer=fake)
    assert len(times.series("a").values) == 8
    with pytest.raises(ValueError, match="sample: no candidates"):
        clock.sample({})


# A child that lives on, and sums at each line that it is sent.
SUMS = "import sys\nfor n in sys.stdin: print(sum(range(int(n))), flush=True)"


def test_work_outside_the_calling_thread_is_counted():
    child = subprocess.Popen(
        [sys.executable, "-Sc", SUMS], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip

    def ask():
        child.stdin.write("1000000\n")
        child.stdin.flush()
        child.stdout.readline()

    def start():
        code = "sum(range(10**6))"
        subprocess.run([sys.executable, "-Sc", code], check=True)

    few = {"budget": 1e-3, "rounds": 3, "min_sample": 1e-3}
    with child, ThreadPoolExecutor(1) as pool:
        ways = {
            "loop": lambda: count.add(50_000),
            "thread": lambda: pool.submit(count.add, 50_000).result(),
            "child": start,
        }
        times = measured(ways, **few)
        asked = clock.measure({"ask": ask}, **few | {"rounds": 6})
        child.stdin.close()
    assert times.series("loop").other_threads < 0.1
    assert times.series("thread").other_threads > 0.5
    assert times.series("child").other_threads > 0.5
    assert asked.series("ask").other_threads > 0.5


def test_a_reading_has_counts_beside_its_seconds():
    faults = iter(range(100))

    def ask(size):
        return Reading(size / 1000, {"faults": next(faults)})

    times = sampled({"a": ask}, sizes=[3], rounds=7, budget=1)
    assert times.seconds("a", 3).value == 0.003
    assert times.first("a", 3).value == 0.003
    # The first answer, 0, is the first call's.
    assert times.count("faults", "a", 3).value == 4
    with pytest.raises(KeyError, match="'swaps' not counted, but faults"):
        times.count("swaps", "a", 3)
