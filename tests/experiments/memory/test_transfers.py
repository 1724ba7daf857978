"""The price of data on its way: lines of copies, and where a device pays."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onthefly.experiments.memory import transfers
from onthefly.measure.quantity import Quantity
from onthefly.measure.samples import Series
from onthefly.measure.timings import Timings


def exact(laws, origin=""):
    """Return Timings without noise of {name: seconds of a size}."""
    return Timings(
        [
            Series(name, n, 1.0, (law(n),) * 8)
            for name, law in laws.items()
            for n in (1000, 2000, 4000, 8000)
        ],
        origin=origin,
    )


def pinned(copy_in, copy_out, origin=""):
    """Return the lines of two copies without noise."""
    series = {"in, pinned": copy_in, "out, pinned": copy_out}
    return transfers.lines(exact(series, origin))


def test_the_lines_give_latency_and_bandwidth():
    fits = pinned(lambda n: 1e-5 + 1e-9 * n, lambda n: 2e-5 + 5e-10 * n)
    assert fits["in"]["a"].value == pytest.approx(1e-5)
    assert fits["out"]["b"].value == pytest.approx(5e-10)
    assert fits["in"].at(5000).value == pytest.approx(1.5e-5)
    speed = transfers.bandwidth(Quantity(1e-3, 5e-4, 2e-3, "s"), 10**6)
    assert (speed.value, speed.low, speed.high) == (1.0, 0.5, 2.0)
    assert speed.unit == "GB/s"
    assert transfers.bandwidth(Quantity(1, 0, 2, "s"), 1).high == math.inf


FLAT = {
    "f, NumPy": lambda n: 1e-6 + 2e-8 * n,
    "f, resident": lambda n: 5e-6 + 1e-10 * n,
    "f, there and back": lambda n: 3.5e-5 + 1.21e-8 * n,
}


def test_the_way_is_predicted_from_its_parts():
    copy = pinned(lambda n: 1e-5 + 1e-9 * n, lambda n: 2e-5 + 1e-9 * n)
    way = transfers.Way(exact(FLAT), copy, "f", 8, lambda n: n)
    assert all(r == pytest.approx(1) for _, r in way.predicted)
    even = way.even((1, 10**6))
    # 1e-6 + 2e-8·n = 3.5e-5 + 1.21e-8·n
    assert even.value == pytest.approx(3.4e-5 / 7.9e-9, rel=1e-3)
    assert even.low <= even.value <= even.high
    share = (3e-5 + 1.2e-8 * 8000) / (3.5e-5 + 1.21e-8 * 8000)
    assert way.share.value == pytest.approx(share) and way.share.unit == "%"


@given(
    a=st.floats(1e-6, 1e-3), b=st.floats(1e-10, 1e-8), gain=st.floats(1.1, 99)
)
def test_break_even_is_where_the_lines_meet(a, b, gain):
    def slow(n):
        return Quantity.exact(b * gain * n, "s")

    def fast(n):
        return Quantity.exact(a + b * n, "s")

    meet = a / (b * (gain - 1))
    even = transfers.break_even(slow, fast, (1, 2**30))
    if 1.01 < meet < 2**30 / 1.01:
        ends = even.value, even.low, even.high
        assert ends == pytest.approx((meet,) * 3)
    assert transfers.break_even(fast, slow, (1e12, 1e13)) is None
    nothing = Quantity.exact(0, "s")
    assert transfers.break_even(fast, lambda n: nothing, (5, 9)).value == 5


def test_break_even_has_the_interval_of_the_difference():
    def slow(n):
        return Quantity.exact(n, "s")

    even = transfers.break_even(
        slow, lambda n: Quantity(50, 40, 80, "s", "noisy"), (1, 1000)
    )
    assert (even.value, even.low, even.high) == pytest.approx((50, 40, 80))
    assert (even.unit, even.note) == ("", "noisy")
    late = transfers.break_even(
        slow, lambda n: Quantity(50, 0, math.inf, "s"), (1, 1000)
    )
    assert (late.low, late.high) == (1, 1000)


def test_the_rating_is_that_of_the_standard():
    assert transfers.rating(2, 16) == pytest.approx(8e9)
    assert transfers.rating(5, 16) == pytest.approx(63.0e9, rel=1e-2)
    for bad in ((7, 16), (3, 0)):
        with pytest.raises(ValueError, match="PCIe"):
            transfers.rating(*bad)


def test_the_largest_step_is_one_size_for_all_series():
    def cliff(n):
        return 1e-9 * n * (2 if n > 2000 else 1)

    times = exact({"fresh": cliff, "used before": lambda n: 1e-9 * n}, "box")
    at, steps = transfers.largest_step(times)
    assert at == 4000
    assert steps["fresh"].value == pytest.approx(1)
    assert steps["used before"].value == pytest.approx(0, abs=1e-9)
    assert steps["fresh"].origin == "box"
