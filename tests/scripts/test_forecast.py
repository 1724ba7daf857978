"""How long a run is said to take, before it and while it goes."""

import json

import pytest

from conftest import ROOT
from onthefly.errors import UserError
from running import forecast, request
from running.forecast import Forecast
from running.job import Job
from running.key import Sources
from small_books import run as run_in_process
from small_books import stamp, write_chapter

SOURCES = Sources(ROOT, ROOT / "no-lab")


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    """A function that returns Jobs of pages that have never run.

    kept  {preset: {slug: seconds}} that are recorded
    """
    monkeypatch.setattr(forecast, "RECORDED", tmp_path / "durations.json")

    def make(*slugs, kept=None, preset="S"):
        if kept:
            data = {"machine": "epyc", "seconds": kept}
            forecast.RECORDED.write_text(json.dumps(data))
        asked = request.Request(preset, "auto", 60, tmp_path, tmp_path / "b")
        cell = {"cell_type": "code", "source": "book.cached('a', int)"}
        cells = [cell | {"metadata": {}}]
        return [
            Job(request.Chapter(tmp_path / "a" / f"{slug}.ipynb", cells, {}),
                asked, SOURCES)
            for slug in slugs
        ]  # fmt: skip

    return make


def whole(job):
    return 1


def test_recorded_seconds_are_scaled_by_the_pages_that_ran(jobs):
    first, second, third = made = jobs(
        "a", "b", "c", kept={"S": {"a": 10, "b": 20, "c": 30}}
    )
    run = Forecast(made, made, whole)
    assert run.left() == 60 and "60 s" in str(run) and "epyc" in str(run)
    assert run.begins() == "page 1 of 3, about 60 s left"
    run.ended(first, 20)  # this machine takes twice as long
    assert run.left() == 100 and run.seconds(third) == 60
    assert run.begins() == "page 2 of 3, about 2 min left"
    run.ended(second, None)  # a failure tells nothing
    assert run.left() == 60


@pytest.mark.parametrize(
    "data", [[], {"machine": "x", "seconds": {"S": {"a": 0}}}]
)
def test_a_file_without_durations_is_refused_in_a_line(jobs, data):
    made = jobs("a")
    forecast.RECORDED.write_text(json.dumps(data))
    with pytest.raises(UserError, match="no durations"):
        Forecast(made, made, whole)


@pytest.mark.slow
def test_durations_are_recorded_and_count_elsewhere(jobs, tmp_path):
    write_chapter(tmp_path / "notebooks", "a/a.ipynb", "1")
    assert run_in_process(tmp_path).returncode == 0
    build = tmp_path / "build"
    took = stamp(tmp_path, "a/a.json")["duration_s"]
    asked = request.Request("S", "auto", 60, tmp_path, build)
    path = tmp_path / "notebooks/a/a.ipynb"
    done = Job(request.read(path), asked, SOURCES)
    forecast.record([done, *jobs("b", kept={"S": {"b": 9}})])
    assert forecast.RECORDED.read_text().count(forecast.TOLD) == 1
    again = Forecast([done], [done], whole)  # its own last run counts first
    assert again.left() == took
