"""What a report says of times that are known: which method, at which size."""

import types

import pytest

from onthefly.diagnose import wording
from onthefly.diagnose.methods import NJIT, PLAIN
from onthefly.diagnose.pool_trials import OWN, PoolTrial, ThreadTrial
from onthefly.diagnose.report import Report, Tried
from onthefly.diagnose.request import Request
from onthefly.diagnose.target import Target
from onthefly.diagnose.trials import Found, Prepared
from onthefly.measure import machine, nogil
from onthefly.measure.quantity import Quantity
from onthefly.measure.samples import Samples, Series
from onthefly.measure.timings import Timings

SIZES = 100, 1000, 10_000
STEADY = 0.99, 1.0, 1.01, 1.0, 0.99, 1.01, 1.0


def reported(times, *, rounds=STEADY, others=0.0, tried=None, **found):
    """Return the Report of {method: {size: seconds}}, PLAIN first."""
    request = Request.of([Target("f", "mine:f")], SIZES, [1, 2], 2.0, None)
    base = next(iter(times.values()))
    methods = {
        name: Tried(name, f"write {name}.", Prepared(seconds=1e-6))
        for name in times
    } | (tried or {})
    known = {
        "seconds": dict(base),
        "left": {},
        "waits": 0.0,
        "methods": [],
        "advice": ["Leave it."],
        "why": "",
        "machine": machine.record(),
    } | found
    series = [
        Series(name, n, None, tuple(s * k for k in rounds), others=others)
        for name, by_size in times.items()
        for n, s in by_size.items()
    ]
    report = Report(request, Found(**known), methods)
    report.times = Timings.of(Samples(series, 2))
    return report


def linear(each, sizes=SIZES):
    return {n: n * each for n in sizes}


def test_a_clear_gain_is_said_with_its_method_and_how():
    report = reported({PLAIN: linear(1e-6), NJIT: linear(1e-8)})
    said = wording.verdict(report)
    assert said.startswith(f"At n = 10,000, {NJIT} is 100× faster than")
    assert said.endswith("at every size tried.")
    assert f"write {NJIT}." in wording.how(report)
    assert wording.advice(report) == []


def test_the_verdict_is_by_size():
    turned = {100: 1e-5, 1000: 6e-4, 10_000: 4e-2}
    report = reported({PLAIN: linear(1e-6), NJIT: turned})
    said = wording.verdict(report)
    assert said.startswith("At n = 10,000, the function as it is is fastest")
    assert f"Up to n = 1,000, {NJIT} is (1.67× at n = 1,000)" in said
    assert wording.how(report).startswith("Up to n = 1,000:")
    assert wording.advice(report) == ["Leave it."]


def test_a_method_that_wins_at_large_sizes_stays_where_it_gains():
    close = {n: s * 0.8 for n, s in linear(1e-8).items()}
    large = {100: 1.4e-6, 1000: 1.0e-5, 10_000: 5e-5}
    report = reported({PLAIN: linear(1e-6), NJIT: close, "np.sum": large})
    assert report.ranges == [("np.sum", list(SIZES))]


def test_of_two_that_gain_alike_the_simpler_is_named():
    report = reported(
        {PLAIN: linear(1e-6), "np.sum": linear(1.1e-8), NJIT: linear(1e-8)}
    )
    assert report.ranges == [("np.sum", list(SIZES))]


def test_a_loop_that_the_compiler_removed_is_no_gain():
    constant = dict.fromkeys(SIZES, 1e-7)
    report = reported({PLAIN: linear(1e-6), NJIT: constant})
    assert report.is_removed(NJIT)
    assert "no gain means anything" in wording.verdict(report)
    assert "does not grow with n" in wording.results(report)


def test_times_that_vary_too_much_say_nothing():
    wild = 0.01, 1.0, 90.0, 0.02, 70.0, 1.0, 0.5
    report = reported(
        {PLAIN: linear(1e-6), NJIT: linear(1e-6)}, rounds=wild, others=1.2
    )
    # Within a round both were slow alike, so that the ratio is known.
    assert "60%" in wording.doubts(report)


def test_other_results_are_named_and_win_nothing():
    prepared = Prepared(differs={1000: "1 in place of 2"})
    report = reported(
        {PLAIN: linear(1e-6)}, tried={NJIT: Tried(NJIT, "", prepared)}
    )
    assert "NOT THE SAME from n = 1,000 on" in wording.results(report)
    assert "has its results" in wording.verdict(report)


def test_what_is_slow_does_not_hide_other_results():
    slow = Tried("whole arrays", "", Prepared(slow=100))
    other = Tried(NJIT, "", Prepared(differs={1000: "1 in place of 2"}))
    report = reported(
        {PLAIN: linear(1e-6)}, tried={slow.name: slow, NJIT: other}
    )
    said = wording.verdict(report)
    assert "other results" in said and "leave it" not in said


@pytest.mark.parametrize(
    ("power", "says"),
    [
        (0, "whatever n is"),
        (0.5, "more slowly than n (about n^0.5)"),
        (1, "in proportion to n: 1"),
        (1.9, "faster than n (about n^1.9)"),
    ],
)
def test_the_cost(power, says):
    report = reported({PLAIN: {n: 1e-5 * n**power for n in SIZES}})
    assert says in wording.cost(report)


def pool(kind, speed, workers=2, **more):
    trial = kind(**more)
    vars(trial)["speeds"] = {
        workers: {n: Quantity.exact(speed, "×") for n in SIZES}
    }
    return trial


def threads(speed, verdict, busy):
    own = types.SimpleNamespace(
        verdict=verdict, busy={2: Quantity.exact(busy, "cores")}
    )
    return pool(ThreadTrial, speed, reports={OWN: own})


@pytest.mark.parametrize(
    ("trial", "says"),
    [
        (threads(1.9, nogil.RELEASES, 1.9), "1.90× faster in 2 threads"),
        (threads(2.58, nogil.UNKNOWN, 1.0), "Threads gain nothing"),
        (threads(1.9, nogil.UNKNOWN, 1.0), "Threads gain nothing"),
        (threads(1.0, nogil.HOLDS, 1.0), "Threads gain nothing"),
        (threads(2.58, nogil.RELEASES, 1.9), "gain is not known"),
    ],
)
def test_threads_that_take_turns_never_win(trial, says):
    report = reported({PLAIN: linear(1e-6)})
    report.pools["threads"] = trial
    assert says in wording.calls(report)


@pytest.mark.parametrize(
    ("speed", "says"),
    [
        (1.8, "Many such calls are 1.80× faster in 2 processes"),
        (0.3, "Processes do not pay up to n = 10,000 (0.300×)"),
        (1.05, "Processes do not clearly pay"),
        (3.1, "What processes gain is not known"),
    ],
)
def test_no_gain_beyond_the_number_of_workers(speed, says):
    report = reported({PLAIN: linear(1e-6)})
    report.pools["processes"] = pool(PoolTrial, speed)
    assert says in wording.calls(report)


def test_what_waits_is_told_so():
    report = reported({PLAIN: linear(1e-6)}, waits=0.97)
    assert wording.advice(report)[0].startswith("It waits for 97%")


def test_sizes_that_the_budget_leaves_out():
    report = reported({PLAIN: linear(1e-6)}, left={10**6: 11.0})
    assert "n = 1,000,000: a call may take 11.0 s" in wording.left_out(report)
