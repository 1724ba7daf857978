"""Threads that share a queue, a device, a generator; on the processor.

What needs a GPU is skipped without one.
"""

import itertools
import math
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import bad_shots
from onthefly import claims, figures, machine, models, results
from onthefly.experiments.gil import nogil
from onthefly.experiments.gpu import device_calls, enqueue, spin_trials
from onthefly.kernels import draws, sigmas, spin_raw
from onthefly.quantity import EXAMPLE, Quantity
from onthefly.timings import Series, Timings
from onthefly.tools import threads

CUDA = pytest.mark.skipif(
    not (draws.torch.cuda.is_available() and machine.available("cupy")),
    reason="PyTorch or CuPy sees no GPU",
)
COMPILER = pytest.mark.skipif(
    bool(spin_raw.missing()), reason="no C++ compiler"
)
SLUG = "threads-and-the-gpu"


# --- which kernels ran at once -------------------------------------------


def made(ways, origin=""):
    """Return the timeline of {way: [(begin, end), …]}, in six equal rounds.

    Seconds; the spans of a way in the order of their begins.
    """
    return Timings(
        [
            Series(f"{way}, {name}", k, 1.0, (seconds,) * 6)
            for way, spans in ways.items()
            for k, span in enumerate(spans, 1)
            for name, seconds in zip(("begin", "end"), span, strict=True)
        ],
        origin=origin,
    )


@pytest.mark.parametrize(
    ("spans", "hits"),
    [
        ([(0, 1), (1, 2), (2, 3)], 0),
        ([(0, 1), (0, 1), (0, 1)], 3),
        ([(0, 10), (5, 15)], 1),  # half is enough
        ([(0, 10), (5.1, 15.1)], 0),
        ([(0, 100), (98, 102)], 1),  # half of the shorter
        ([(0, 10), (9, 20), (2, 8)], 1),
    ],
)
def test_pairs_at_once_are_counted(spans, hits):
    begins, ends = zip(*spans, strict=True)
    assert spin_trials.overlapping(begins, ends) == (
        hits,
        math.comb(len(spans), 2),
    )


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 20)),
                min_size=2, max_size=6), st.randoms())  # fmt: skip
def test_the_order_of_spans_does_not_matter(spans, rng):
    spans = [(begin, begin + length) for begin, length in spans]
    count = spin_trials.overlapping(*zip(*spans, strict=True))
    # By ticks of the clock: the same, counted another way.
    ticks = [set(range(*span)) for span in spans]
    assert count[0] == sum(
        2 * len(a & b) >= min(len(a), len(b))
        for a, b in itertools.combinations(ticks, 2)
    )
    rng.shuffle(spans)
    assert spin_trials.overlapping(*zip(*spans, strict=True)) == count


def test_a_timeline_tells_shares_lengths_and_whose_it_is():
    times = made(
        {"in turn": [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)],
         "at once": [(0.0, 1.0), (0.0, 1.0), (0.1, 1.1)]},
        origin=EXAMPLE,
    )  # fmt: skip
    assert spin_trials.ways_of(times) == ["in turn", "at once"]
    assert spin_trials.at_once(times, "in turn").value == 0
    assert spin_trials.at_once(times, "in turn").note == "0 of 18"
    assert spin_trials.at_once(times, "at once").value == 1
    assert spin_trials.length(times, "in turn").value == pytest.approx(3)
    assert spin_trials.length(times, "at once").value == pytest.approx(1.1)
    assert spin_trials.length(times, "at once").origin == EXAMPLE
    assert spin_trials.at_once(times, "at once").origin == EXAMPLE
    chart = figures.spans(spin_trials.bars(times), x="time")
    assert chart.origin == EXAMPLE and len(chart.rows) == 6
    assert chart.rows[1][:2] == ["in turn, 2", "in turn"]


def test_a_timeline_is_taken_in_rounds():
    clock = itertools.count(10**9, 1000)
    lock = threading.Lock()

    def span(thread):
        with lock:
            return next(clock), next(clock), thread

    times = spin_trials.timeline({"way": span}, 3, rounds=4)
    assert set(times.names) == {"way, begin", "way, end"}
    assert times.sizes("way, begin") == [1, 2, 3]
    assert all(len(s.values) == 4 and min(s.values) > 0 for s in times)
    assert times.series("way, end", 3).values[0] == pytest.approx(5e-6)
    assert spin_trials.at_once(times, "way").value == 0


@COMPILER
def test_the_kernel_spins_as_long_as_told():
    for span in spin_raw.calls().values():
        for seconds in (0, 1e-6, 2e-3):
            begin, end, place = span(seconds)
            assert end - begin >= round(seconds * 1e9)
            assert 0 <= place < 2**16


@COMPILER
def test_the_gil_decides_which_kernels_run_at_once():
    ways = {
        way: lambda _, f=span: f(0.02)  # longer than a turn on a core
        for way, span in spin_raw.calls().items()
    }
    times = spin_trials.timeline(ways, 2, rounds=6)
    assert spin_trials.at_once(times, "GIL held").value == 0
    assert spin_trials.length(times, "GIL held").low >= 2
    if machine.usable_cores() > 1:
        assert spin_trials.at_once(times, "GIL released").value > 0


def test_one_source_serves_the_device_and_the_processor():
    assert spin_raw.SOURCE in spin_raw.CUDA
    assert spin_raw.SOURCE in spin_raw.HOST
    assert spin_raw.CUDA.count("asm volatile") == 2


# --- what a clock waits for ----------------------------------------------


def test_a_queue_returns_before_it_is_done():
    call, wait = enqueue.lane(2**20)
    times = enqueue.stopwatches(call, wait, [1, 2], rounds=6)
    for n in (1, 2):
        returned, done = (
            np.array(times.series(name, n).values)
            for name in (enqueue.RETURNED, enqueue.DONE)
        )
        assert (returned < done).all()
    gains = enqueue.gains(times)
    assert gains[enqueue.DONE][1].value == 1


def test_slopes_are_those_of_the_samples(monkeypatch):
    def samples(size, wait, threads, rounds):
        laws = {enqueue.RETURNED: 0.0, enqueue.DONE: 2e-9}
        return Timings(
            Series(name, n, 1.0, (1e-5 + n * each * size,) * rounds)
            for name, each in laws.items()
            for n in threads
        )

    monkeypatch.setattr(enqueue, "lane", lambda size: (size, None))
    monkeypatch.setattr(enqueue, "stopwatches", samples)
    fits = enqueue.slopes([2**12, 2**15, 2**18], [1, 4])
    found = {key: fit["b"].value for key, fit in fits.items()}
    assert found[enqueue.DONE, 1] == pytest.approx(2e-9)
    assert found[enqueue.DONE, 4] == pytest.approx(8e-9)
    assert found[enqueue.RETURNED, 4] == pytest.approx(0, abs=1e-14)


def test_the_stopwatch_calls_as_often_as_told():
    made_calls, waits = [], []
    times = enqueue.stopwatches(
        lambda: made_calls.append(0), lambda: waits.append(0), [1, 3],
        calls=5, rounds=2,
    )  # fmt: skip
    assert len(made_calls) == 3 * 5 * (1 + 3)  # one round warms up
    assert len(waits) == 2 * 3 * 2
    assert len(times.series(enqueue.DONE, 3).values) == 2


def test_a_share_of_two_fits_spans_both_intervals():
    some, whole = Quantity(1.0, 0.5, 2.0), Quantity(4.0, 2.0, 5.0)
    share = enqueue.part(some, whole)
    assert (share.value, share.low, share.high) == (0.25, 0.1, 1.0)
    assert share.unit == "%"
    open_end = enqueue.part(some, Quantity(4.0, 0.0, 5.0))
    assert open_end.high == math.inf


def test_a_sample_of_the_profile_ends_when_the_work_is_done():
    with ThreadPoolExecutor(1) as worker:
        reports = nogil.profile(
            {"handed over": lambda: worker.submit(time.sleep, 1e-3)},
            (1, 2),
            budget=0.5,
            wait=lambda: worker.submit(int).result(),
        )
    times = reports["handed over"].times
    assert min(times.samples("handed over", 1)) >= 1e-3
    assert min(times.samples("handed over", 2)) >= 2e-3  # one worker for both


def test_gains_are_calls_over_those_of_one_thread():
    times = Timings(
        [
            Series(name, n, 1.0, (seconds,) * 6)
            for name, each in {"turns": lambda n: n, "free": lambda n: 1.0}
            .items()
            for n, seconds in ((n, each(n)) for n in (1, 2, 4))
        ],
        origin="box",
    )  # fmt: skip
    gains = enqueue.gains(times)
    assert [q.value for q in gains["turns"].values()] == [1, 1, 1]
    assert [q.value for q in gains["free"].values()] == [1, 2, 4]
    share = enqueue.beside(times, "turns", "free", 4)
    assert (share.value, share.unit, share.origin) == (0.25, "%", "box")


@pytest.mark.parametrize("name", device_calls.torch_calls("cpu"))
def test_calls_of_torch_may_be_made_by_many_threads(name):
    call = device_calls.torch_calls("cpu", size=1000)[name]
    threads.together(call, 4)()


def test_copies_arrive_in_the_threads_own_tensor():
    size = 321
    device_calls.torch_calls("cpu", size)["torch, copy in"]()
    own = threads.own(device_calls._empty("cpu"), size)
    assert own.shape == (size,) and 0 < float(own.mean()) < 1


# --- who draws which numbers ---------------------------------------------

LOCKED = [k for k in draws.SHARED if k != "Numba, shared"]


@pytest.mark.parametrize("name", LOCKED)
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_a_locked_generator_deals_what_one_thread_would_draw(name, threads):
    for seed in range(3):
        assert draws.same_as_one(
            draws.SHARED[name], seed, threads, 1000, calls=5
        )


@pytest.mark.parametrize("name", [*draws.SHARED, *draws.EACH])
def test_one_thread_draws_uniform_numbers(name):
    way = (draws.SHARED | draws.EACH)[name]
    (numbers,) = draws.drawn(way(3, 1), 1, 5000, calls=4)
    (again,) = draws.drawn(way(3, 1), 1, 5000, calls=4)
    assert np.array_equal(numbers, again)
    assert numbers.shape == (20_000,) and numbers.dtype == np.float64
    assert numbers.min() >= 0 and numbers.max() < 1
    assert not draws.repeats([numbers])
    counts = np.histogram(numbers, 20, (0, 1))[0]
    assert np.abs(counts - 1000).max() < 5 * math.sqrt(1000)


def test_compiled_code_draws_numpys_numbers():
    out = np.empty(100)
    draws.fill(out, np.random.default_rng(7))
    assert np.array_equal(out, np.random.default_rng(7).random(100))


def test_one_seed_repeats_and_spawned_ones_do_not():
    same = draws.drawn(draws.same_seed(1, 4), 4, 500, calls=2)
    assert draws.repeats(same) == 3 * 1000
    spawned = draws.drawn(draws.spawned(1, 4), 4, 500, calls=2)
    assert not draws.repeats(spawned)
    both = spawned + draws.drawn(draws.spawned(2, 4), 4, 500, calls=2)
    assert not draws.repeats(both)


@settings(max_examples=50)
@given(st.lists(st.lists(st.integers(0, 20), max_size=20),
                min_size=1, max_size=5))  # fmt: skip
def test_repeats_are_numbers_less_different_numbers(lists):
    flat = [n for numbers in lists for n in numbers]
    arrays = [np.array(numbers, float) for numbers in lists]
    assert draws.repeats(arrays) == len(flat) - len(set(flat))


def test_chance_repeats_as_often_as_birthdays():
    rng = np.random.default_rng(0)
    found = [draws.repeats([rng.integers(0, 2**16, 300)])
             for _ in range(300)]  # fmt: skip
    expected = draws.by_chance(300, bits=16)
    error = math.sqrt(expected / len(found))
    assert abs(np.mean(found) - expected) < 5 * error


def test_the_test_of_distribution_looks_for_a_difference():
    rng = np.random.default_rng(1)
    alike = [rng.random(5000) for _ in range(4)]
    assert draws.same_distribution(alike) > 1e-6
    assert draws.same_distribution([alike[0]] * 4) == 1
    assert draws.same_distribution([*alike, rng.random(5000) ** 2]) < 1e-6


@pytest.mark.parametrize("shots", [1, 3, 8, 1001])
@pytest.mark.parametrize("name", [*draws.SHARED, *draws.EACH])
def test_threads_estimate_pi_from_any_number_of_shots(name, shots):
    draw = (draws.SHARED | draws.EACH)[name](2, 8)
    estimate = draws.pi_threads(draw, shots, 8)
    hits = estimate * shots / 4
    assert hits == pytest.approx(round(hits)) and 0 <= hits <= shots
    if shots > 1000 and name != "one seed for all":
        assert sigmas(estimate, shots) < 5


@bad_shots
def test_bad_shots_are_refused(shots, error):
    with pytest.raises(error):
        draws.pi_threads(draws.spawned(1, 2), shots, 2)


def test_one_seed_costs_the_root_of_the_threads():
    """The law keeps its exponent; its height tells.  The seeds are set."""
    ways = {"spawned": draws.spawned, "one seed": draws.same_seed}
    off = {}
    for name, way in ways.items():
        errors, deviations = draws.errors(way(11, 4), 4000, 4, 150)
        off[name] = models.root_mean_square(deviations)
        assert np.std(errors) == pytest.approx(
            off[name].value * math.sqrt((4 - math.pi) / math.pi / 4000),
            rel=0.05,
        )
    assert off["spawned"].low < 1 < off["spawned"].high
    assert off["one seed"].low < 2 < off["one seed"].high


def test_threads_start_together_and_each_once():
    gate = threading.Barrier(5)

    def job(thread):
        gate.wait(5)  # passes only if all five run at once
        return thread

    assert draws.in_threads(job, 5) == [0, 1, 2, 3, 4]
    with pytest.raises(ZeroDivisionError):
        draws.in_threads(lambda k: 1 / (k - 1), 2)


# --- the book ------------------------------------------------------------


KERNELS = ("spin_cupy", "pi_cupy")


def named(function, *arguments):
    """Return the names of what `function` makes where CuPy is a dummy.

    It computes nothing: what a device would run has a name all the same.
    """
    modules = {f"onthefly.kernels.{name}": None for name in KERNELS}
    with mock.patch.dict(sys.modules, modules):
        for name in modules:
            del sys.modules[name]
        with mock.patch.dict(sys.modules, cupy=mock.MagicMock()):
            return list(function(*arguments))


def test_the_examples_have_the_names_of_the_devices_calls():
    calls = named(device_calls.cupy_calls)
    assert f"CuPy, graph of {device_calls.GRAPH}" in calls
    assert set(results.borrow(SLUG, "calls").names) == {
        *device_calls.torch_calls("cpu"), *calls, nogil.FREE, nogil.HELD
    }  # fmt: skip


def test_the_examples_have_the_names_of_the_streams():
    def ways():
        from onthefly.kernels import spin_cupy

        return spin_cupy.ways(1e-3, 4)

    times = results.borrow(SLUG, "spans")
    assert spin_trials.ways_of(times) == named(ways)
    assert times.sizes() == [1, 2, 3, 4]
    assert spin_trials.ways_of(results.borrow(SLUG, "host spans")) == [
        "GIL held", "GIL released"
    ]  # fmt: skip
    assert results.borrow(SLUG, "queue").names == [
        enqueue.RETURNED, enqueue.DONE
    ]  # fmt: skip


def test_the_ledger_judges_the_gpus_threads_in_one_chapter():
    ledger = claims.load()
    here = {c.id: c for c in ledger.of(SLUG)}
    assert {"cupy-full-nogil-question", "cupy-eight-threads-keep-error-law",
            "cupy-parallel-in-cuda-question"} < set(here)  # fmt: skip
    assert all(c.expect and "gpu" in c.needs for c in here.values())
    others = ledger.of("threading-and-nogil")
    assert not any("gpu" in c.needs for c in others)


# --- on a device ---------------------------------------------------------


@CUDA
def test_streams_decide_which_kernels_run_at_once():
    from onthefly.kernels import spin_cupy

    times = spin_trials.timeline(spin_cupy.ways(0.02, 4), 4, rounds=6)
    shares = {w: spin_trials.at_once(times, w).value
              for w in spin_trials.ways_of(times)}  # fmt: skip
    assert shares["null stream"] == 0
    assert shares["own stream"] > 0.9
    assert shares["per thread"] > 0.9
    assert shares["full device"] < 0.1


@CUDA
@pytest.mark.parametrize(("blocks", "threads"), [(1, 32), (3, 1), (7, 33)])
def test_each_block_writes_its_own_span(blocks, threads):
    from onthefly.kernels import spin_cupy

    begin, end, places = spin_cupy.span(
        1e-4, spin_cupy.cp.cuda.Stream.null, blocks, threads
    )
    assert end - begin >= 10**5 and 1 <= places <= blocks


@CUDA
def test_calls_of_cupy_may_be_made_by_many_threads():
    for name, call in device_calls.cupy_calls(size=1000, shots=100).items():
        assert name.startswith("CuPy")
        threads.together(call, 4)()


@CUDA
def test_a_hold_keeps_every_stream_busy():
    from onthefly.kernels import draws_cupy

    for name in ("CuPy, shared, null stream", "CuPy, shared, own streams"):
        way = draws_cupy.WAYS[name](1, 4)
        way.hold(0.5)
        assert not any(stream.done for stream in way.streams)
        draws_cupy.cp.cuda.Device().synchronize()
        assert all(stream.done for stream in way.streams)


@CUDA
def test_a_generator_each_never_repeats_on_the_device():
    from onthefly.kernels import draws_cupy

    for name in draws_cupy.WAYS:
        row = draws_cupy.row(name, 1, threads=4, size=2**12, calls=4)
        if "each" in name or "torch" in name or "null" in name:
            assert row["drawn before"] == 0, name
    found = draws_cupy.deviations(
        "CuPy Generator each, own streams", 1001, 4, 50
    )
    assert max(found) < 5
