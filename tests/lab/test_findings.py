"""Sentences that say what a figure shows."""

import pytest

from onthefly.figures import findings
from onthefly.measure.quantity import Quantity


def near(value, unit="s", part=0.05):
    """A Quantity whose interval reaches so far around it."""
    return Quantity(value, value * (1 - part), value * (1 + part), unit)


CROSSING = {
    "loop": {10: near(1e-6), 100: near(1e-5), 1000: near(1e-4)},
    "array": {10: near(5e-6), 100: near(1.02e-5), 1000: near(2e-5)},
}


def test_lines_that_cross_name_both_ranges_and_what_is_open():
    text = findings.of_lines(CROSSING, x="shots", y="time", better="less")
    assert "loop at 10 shots" in text
    assert "array from 1,000 shots on" in text
    assert "Not resolved at 100" in text
    assert "20.0 µs" in text and "loop takes 5.00 times as long" in text


def test_what_is_ahead_depends_on_the_side():
    speeds = {"a": {1: near(2, "×")}, "b": {1: near(4, "×")}}
    more = findings.of_lines(speeds, x="threads", y="speed", better="more")
    less = findings.of_lines(speeds, x="threads", y="time", better="less")
    assert "every size: b" in more and "every size: a" in less


@pytest.mark.parametrize("name", ["ahead", "behind"])
def test_bars_are_resolved_or_not(name):
    gap = 1.02 if name == "ahead" else 2
    bars = {"x": near(1.0), "y": near(gap), "z": near(9)}
    text = findings.of_bars(bars, better="less")
    assert ("not resolved" in text) == (name == "ahead")
    assert "x" in text and "y" in text


def test_a_time_of_one_of_many_says_so():
    for y, end in (("time a shot", " a shot"), ("time a call", "")):
        text = findings.of_lines(CROSSING, x="shots", y=y, better="less")
        assert f"array takes 20.0 µs{end}; loop" in text


def test_who_is_hardly_behind_takes_hardly_longer():
    bars = {"x": near(1.0, part=0.001), "y": near(1.01, part=0.001)}
    text = findings.of_bars(bars, better="less")
    assert text == "x takes 1.00 s; y takes hardly longer."


def test_a_wide_ratio_is_told_by_its_ends():
    bars = {"x": near(1.0, part=0.001), "y": Quantity(9.0, 3.0, 20.0, "s")}
    text = findings.of_bars(bars, better="less")
    assert text == "x takes 1.00 s; y takes 3.00 to 20.0 times as long."


@pytest.mark.parametrize(
    ("size", "axis", "text"),
    [
        (1, "threads N", "1 thread"),
        (4, "threads", "4 threads"),
        (1, "floats above 1", "1 float above 1"),
        (1, "entries that a fork copies", "1 entry that a fork copies"),
        (1, "ms of switch interval", "1 ms of switch interval"),
        (65_536, "distance (bytes)", "65,536 bytes"),
        (1.4809519999943177, "length of a run, in switch intervals",
         "1.48 switch intervals"),
        (34_308.0, "numbers drawn", "34,300 numbers drawn"),
        (-20, "x", "x = −20"),
        (225, "limit of what is inlined", "limit 225"),
        (0.5, "brightness of the examples", "brightness 0.5"),
        (0.25, "", "0.25"),
    ],
)  # fmt: skip
def test_a_size_is_worded_as_one_would_say_it(size, axis, text):
    assert findings.amount(size, axis) == text


SPIKE = {"copy": {n: near(t) for n, t in {0: 1, 8: 12, 16: 4, 64: 1}.items()}}


def test_what_lies_beyond_both_ends_of_a_line_is_named():
    text = findings.of_lines(SPIKE, x="bytes", y="time of a copy")
    assert text == (
        "Time of a copy, copy: 1.00 s at 0 bytes, up to 12.0 s at 8, 1.00 s "
        "at 64."
    )
    flat = {"copy": {n: near(1 + n / 1000) for n in (0, 8, 16, 4)}}
    text = findings.of_lines(flat, x="bytes", y="time of a copy")
    assert "up to" not in text and "down to" not in text


def test_of_many_names_those_of_the_most_and_the_least_are_kept():
    bars = {f"way {k}": near(t, "×") for k, t in enumerate([2] * 9 + [1, 9])}
    text = findings.of_bars(bars, x="times as fast")
    assert text.startswith("Times as fast: way 0: 2.00×, ")
    assert "way 9: 1.00×, way 10: 9.00×, 5 others between." in text


def test_a_range_goes_on_over_sizes_that_are_not_resolved():
    ties = {2: near(1e-5), 3: near(1.01e-5), 4: near(1e-5), 5: near(1e-5)}
    series = {
        "a": {1: near(1e-6), **ties},
        "b, new": {
            n: near(1e-6 if n in (2, 4) else 1e-5) for n in range(1, 6)
        },
    }
    text = findings.of_lines(series, x="shots", y="time", better="less")
    assert "a at 1 shot, “b, new” from 2 to 4 shots." in text
    assert "Not resolved at 3, 5." in text


def test_the_reference_is_not_among_what_it_measures():
    bars = {"one": Quantity.exact(1.0, "×"), "two": near(2, "×")}
    assert "one" not in findings.of_bars(bars, x="times as fast")


def test_whose_all_of_it_is_stands_once_and_not_at_each_number():
    recorded = [
        Quantity(value, value, value, "×", origin="there")
        for value in (1.0, 2.0)
    ]
    bars = dict(zip("ab", recorded, strict=True))
    assert "recorded" not in findings.of_bars(bars)
    assert "recorded" in findings.of_bars(bars | {"c": near(3, "×")})
