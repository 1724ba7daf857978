"""The nogil fraction, from what threads gain."""

import functools
import hashlib
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from onthefly.measure import machine, nogil
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings

ROUNDS = 12


def given(name, threads, walls, spent, lost):
    """Return the Series of a call, as `measure` takes it."""
    counts = {nogil.USED: (spent,) * ROUNDS, nogil.QUEUED: lost}
    return Series(name, threads, 1.0, tuple(walls), counts=counts)


@pytest.fixture
def profiled():
    """A function that returns the Report of a call whose samples are given.

    Of two cores; it takes the seconds of two threads and of their
    processors where one thread takes 1 of each, and the seconds in wait for
    a core, one a round.
    """

    def report(both, used, waited=(0.0,) * ROUNDS):
        series = []
        for name, wall, spent in [
            ("given", both, used),
            (nogil.FREE, 1, 2),
            (nogil.HELD, 2, 2),
        ]:
            lost = waited if name == "given" else (0.0,) * ROUNDS
            series += [
                given(name, 1, (1.0,) * ROUNDS, 1.0, (0.0,) * ROUNDS),
                given(name, 2, [wall + w for w in lost], spent, lost),
            ]
        return nogil.reports(Timings(series, cores=2), 2)["given"]

    return report


@pytest.mark.parametrize(
    ("both", "used", "fraction", "verdict"),
    [
        (1.0, 2.0, 1.0, nogil.RELEASES),
        (1.5, 2.0, 0.5, nogil.PARTLY),
        (2.0, 2.0, 0.0, nogil.HOLDS),
        (1.5, 3.0, 0.5, nogil.ELSEWHERE),  # at once, and each one slower
        (2.4, 2.4, -0.4, nogil.SLOW),
    ],
)
def test_a_verdict_rests_on_the_fraction(
    profiled, both, used, fraction, verdict
):
    report = profiled(both, used)
    assert report.raw.value == pytest.approx(fraction)
    assert report.relative.value == pytest.approx(fraction)
    assert report.speedups[2].value == pytest.approx(2 / both)
    assert report.busy[2].value == pytest.approx(used / both)
    assert report.verdict == verdict, report.why
    assert report.fraction.value == pytest.approx(max(fraction, 0))
    assert bool(report.fraction.note) == (fraction < 0)


def test_rounds_in_which_others_had_the_cores_are_left_out(profiled):
    waited = (0.0,) * 8 + (9.0,) * 4
    report = profiled(1.0, 2.0, waited)
    assert report.raw.low == report.raw.high == pytest.approx(1)
    assert "8 of 12 rounds" in report.raw.note
    assert len(report.times.series("given", 2).values) == ROUNDS


def test_too_few_quiet_rounds_are_no_reason_to_leave_any_out(profiled):
    waited = (0.0,) * 5 + (9.0,) * 7
    report = profiled(1.0, 2.0, waited)
    assert report.raw.value < 0
    assert "rounds used" not in report.raw.note


def test_the_fraction_inverts_amdahl():
    for cores in (2, 4, 64):
        for f in (-0.5, 0.0, 0.3, 1.0):
            speed = 1 / ((1 - f) + f / min(4, cores))
            assert nogil.fraction(speed, 4, cores) == pytest.approx(f)
    with pytest.raises(ValueError, match="1 cores"):
        nogil.fraction(1.0, 2, 1)


@pytest.mark.skipif(machine.usable_cores() < 2, reason="one core")
@pytest.mark.slow
def test_known_functions_get_their_verdicts():
    big = bytes(2**20)
    reports = nogil.profile(
        {
            "loop": functools.partial(sum, (k for k in range(0))),
            "python": lambda: [k * k for k in range(20_000)],
            "hash": lambda: hashlib.sha256(big),
            "sleep": lambda: time.sleep(0.005),
        },
        threads=(1, 2),
        budget=3,
    )
    # A busy machine may leave a question open, but gives no wrong answer.
    for name, right in [
        ("hash", nogil.RELEASES),
        ("sleep", nogil.RELEASES),
        ("python", nogil.HOLDS),
        (nogil.HELD, nogil.HOLDS),
    ]:
        allowed = {right, nogil.UNKNOWN}
        if right == nogil.HOLDS:
            allowed.add(nogil.SLOW)
        assert reports[name].verdict in allowed, reports[name]
    for report in reports.values():
        low, high = report.fraction.low, report.fraction.high
        assert 0 <= low <= report.fraction.value <= high <= 1
    assert reports["loop"].repeats > 100  # so short is it


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"calls": {nogil.FREE: int}}, "taken"),
        ({"calls": {"f": int}, "threads": (2, 4)}, "give 1"),
        ({"calls": {"f": int}, "threads": (0, 1)}, "at least 1"),
        ({"calls": {"f": int}, "budget": 0}, "budget"),
    ],
)
def test_bad_arguments_of_profile(arguments, said):
    with pytest.raises(ValueError, match=said):
        nogil.profile(**arguments)


def test_an_error_in_a_call_names_it():
    with pytest.raises(ZeroDivisionError) as caught:
        nogil.profile({"halves": lambda: 1 / 0}, budget=0.1)
    assert caught.value.__notes__ == ["in the call 'halves'"]


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
