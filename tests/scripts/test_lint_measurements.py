"""What tidy says of a page that reads the clock, or works a number out."""

import pytest

from linting import measurements


def broken(source, kind="code"):
    cell = {"cell_type": kind, "source": source, "metadata": {}}
    return [what for _, what, _ in measurements.broken({"cells": [cell]})]


@pytest.mark.parametrize(
    "source",
    [
        "cores = machine.usable_cores()",
        "start = time.perf_counter()",
        "for n in sizes:\n    print(clock.seconds(f, n))",
        "pool = Pool(os.cpu_count())",
    ],
)
def test_what_reads_the_clock_or_the_machine_is_named(source):
    (what,) = broken(source)
    assert "outside of book.cached" in what


@pytest.mark.parametrize(
    "source",
    [
        "turns = book.cached('turns', lambda: clock.seconds(f))",
        "def timed():\n    return time.perf_counter()",
        "cores = book.cores",
        "1 +",
    ],
)
def test_what_a_measurement_calls_may_read_it(source):
    assert broken(source) == []


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("{eval}`gain`{eval}`gains`", True),
        ("{eval}`gain.about`, {eval}`names[-1]`, {eval}`len(a) / b`", True),
        ("It gains.{eval}`holds(a > b, [k > 1 for k in c])`", True),
        ("{eval}`gain.short`", False),
        (f"{{eval}}`{'a + ' * 40}b`", False),
        (f"{{eval}}`gains[{'a' * 120}].about`", True),
    ],
)
def test_prose_holds_what_one_reads_at_a_glance(text, right):
    assert (broken(text, "markdown") == []) is right
