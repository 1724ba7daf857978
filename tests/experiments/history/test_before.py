"""What came before: releases, processors, and tries of toolkits."""

import datetime

import numpy as np
import pytest
import threadpoolctl

import releases as script
from onthefly.experiments.history import (
    eager_then,
    processors,
    releases,
    toolkits,
)
from onthefly.experiments.history.toolkits_child import busy
from onthefly.experiments.then import environments
from onthefly.measure import machine

OLD = environments.made("tensorflow-")
DAY = datetime.date(2026, 1, 1)


@pytest.mark.parametrize(
    ("days", "retired"), [(300, False), (366 * releases.QUIET, True)]
)
def test_a_toolkit_without_a_release_for_long_is_retired(days, retired):
    first, last = datetime.date(2015, 1, 1), DAY - datetime.timedelta(days)
    toolkit = releases.Releases("1.0", "2.0", first, last)
    assert toolkit.retired(DAY) == retired


def test_the_recorded_releases_are_in_their_order():
    looked, recorded = releases.read()
    assert set(recorded) == set(releases.PACKAGES)
    for name, its in recorded.items():
        assert its.first <= its.last <= looked, name
        assert its.then is None or str(its.first) <= script.TALK, name


def test_a_releases_day_is_that_of_its_first_file():
    uploads = {
        "two-words-1.0.tar.gz": "2020-01-02",
        "two_words-1.0-py3-none-any.whl": "2020-01-01",
        "two_words-2.0rc1-py3-none-any.whl": "2020-03-01",
        "odd.exe": "2020-05-01",
    }
    files = [
        {"filename": name, "upload-time": f"{day}T00:00:00Z"}
        for name, day in uploads.items()
    ]
    days = script.dated({"files": files})
    assert {str(v): day for v, day in days.items()} == {"1.0": "2020-01-01"}


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


def test_a_cell_of_then_stands_beside_todays():
    today = {"interactive": {"Eager": "yes", "PyTorch": "yes"}}
    first, second = toolkits.rows(today, {"interactive": {"Eager": "no"}})
    assert first["TensorFlow 1.5"] == "no" and first["today"] == "yes"
    assert second["TensorFlow 1.5"] is None
    assert toolkits.rows(today)[0]["TensorFlow 1.5"] is None
    assert toolkits.as_printed({"interactive": {"Eager": "no"}}) == [False]


@pytest.mark.slow
@pytest.mark.skipif("1.5" not in OLD, reason="no TensorFlow 1.5")
def test_the_toolkits_of_then_are_asked():
    outcomes = toolkits.tried_then(OLD["1.5"])
    assert list(outcomes["interactive"]) == list(toolkits.TOOLKITS[:3])
    assert outcomes["interactive"]["TensorFlow"] == "no"
    assert outcomes["interactive"]["Eager"] == "yes"
    assert set(outcomes["several cores"].values()) <= {"yes", "no", None}


@pytest.mark.slow
@pytest.mark.skipif("1.5" not in OLD, reason="no TensorFlow 1.5")
def test_the_first_with_eager_execution_runs_eagerly():
    assert eager_then.outcomes()["1.5"] == ""
