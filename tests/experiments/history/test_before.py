"""What came before: releases, processors, and tries of toolkits."""

import datetime

import numpy as np
import pytest
import threadpoolctl

import releases as script
from onthefly import machine
from onthefly.experiments.history import processors, releases, toolkits
from onthefly.experiments.history.toolkits_child import busy

DAY = datetime.date(2026, 1, 1)


def one(last):
    """Return the Releases of a toolkit that was last released on a day."""
    return releases.Releases("1.0", "2.0", datetime.date(2015, 1, 1), last)


def test_a_toolkit_without_a_release_for_long_is_retired():
    days = releases.QUIET * 366
    assert one(DAY - datetime.timedelta(days)).retired(DAY)
    assert not one(DAY - datetime.timedelta(300)).retired(DAY)


def test_the_recorded_releases_are_in_their_order():
    looked, found = releases.read()
    assert set(found) == set(releases.PACKAGES)
    for name, its in found.items():
        assert its.first <= its.last <= looked, name
        assert its.then is None or str(its.first) <= script.TALK, name


def test_a_releases_day_is_that_of_its_first_file():
    days = script.dated(
        {
            "files": [
                {"filename": name, "upload-time": f"{day}T00:00:00Z"}
                for name, day in (
                    ("two-words-1.0.tar.gz", "2020-01-02"),
                    ("two_words-1.0-py3-none-any.whl", "2020-01-01"),
                    ("two_words-2.0rc1-py3-none-any.whl", "2020-03-01"),
                    ("two_words-1.10-py3-none-any.whl", "2020-02-01"),
                    ("odd.exe", "2020-05-01"),
                )
            ]
        }
    )
    assert {str(v): day for v, day in days.items()} == {
        "1.0": "2020-01-01",
        "1.10": "2020-02-01",
    }
    assert str(max(days)) == "1.10"


def test_a_part_came_with_the_first_wheel_that_holds_it():
    came = releases.parts()
    order = [*releases.WHEELS, "none of them"]
    assert order.index(came["Keras, contributed"]) < order.index(
        came["Keras, in the core"]
    )


def test_each_point_is_the_median_of_five_years():
    clock = processors.medians("frequency")
    among = [v for y, v in processors.read("frequency") if 2000 <= y < 2005]
    assert min(among) <= clock[2002.5].value <= max(among)
    assert list(clock) == sorted(clock)


def test_one_busy_thread_is_counted_as_one():
    assert busy(lambda: sum(range(100_000))) == 1


@pytest.mark.skipif(machine.usable_cores() < 2, reason="one core")
def test_several_busy_threads_are_counted():
    ones = np.ones((1000, 1000))
    with threadpoolctl.threadpool_limits(2):
        assert busy(lambda: ones @ ones) == 2


def test_a_cell_that_was_not_tried_is_no_case():
    outcomes = {
        "interactive": {"TensorFlow": "no", "Keras": "yes"},
        "several cores": {"Eager": None},
    }
    assert toolkits.as_printed(outcomes) == [True, False]


@pytest.mark.slow
def test_two_processes_of_pytorch_add_their_numbers():
    pytest.importorskip("torch")
    assert toolkits.several_processes() == "yes"
