"""The nogil fraction of calls that are known to release or hold the GIL."""

import functools
import hashlib
import time

import pytest

from onthefly import machine
from onthefly.experiments.gil import nogil


def test_the_fraction_inverts_amdahl():
    for cores in (2, 4, 64):
        for f in (-0.5, 0.0, 0.3, 1.0):
            speed = 1 / ((1 - f) + f / min(4, cores))
            assert nogil.fraction(speed, 4, cores) == pytest.approx(f)
    with pytest.raises(ValueError, match="1 cores"):
        nogil.fraction(1.0, 2, 1)


@pytest.mark.skipif(machine.usable_cores() < 2, reason="one core")
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
    assert list(reports)[-2:] == [nogil.FREE, nogil.HELD]
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
        assert report.times.sizes() == [1, 2]
        assert report.speedups[1].value == pytest.approx(1)
    # Short calls are repeated, and the report says so.
    assert reports["loop"].repeats > 100
    assert "in a loop in each thread" in reports["loop"].why
    assert len(nogil.merge(reports)) == 2 * len(reports)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"calls": {}}, "no calls"),
        ({"calls": {nogil.FREE: int}}, "taken"),
        ({"calls": {"f": int}, "threads": (2, 4)}, "give 1"),
        ({"calls": {"f": int}, "threads": (1,)}, "larger"),
        ({"calls": {"f": int}, "threads": (0, 1)}, "at least 1"),
        ({"calls": {"f": int}, "threads": (1, 2.5)}, "whole"),
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
