"""Results on disk: as they were saved, or one line."""

import dataclasses
import subprocess
import sys

import pytest

from onthefly import results
from onthefly.errors import CorruptFile, UserError
from onthefly.timings import Timings


def test_results_come_back_as_they_were_saved(measured, tmp_path):
    path = results.save(measured, tmp_path)
    again = results.load(path)
    assert list(again.timings["loops"]) == list(measured.timings["loops"])
    for field in dataclasses.fields(measured):
        if field.name != "timings":
            name = field.name
            assert getattr(again, name) == getattr(measured, name), name


def test_what_a_series_may_have_or_lack_comes_back(measured, tmp_path):
    series = measured.timings["loops"].series("sum", 100)
    faults = tuple(map(float, range(len(series.values))))
    odd = dataclasses.replace(
        series, other_threads=None, counts={"faults": faults}
    )
    measured.timings = {"odd": Timings([odd])}
    again = results.load(results.save(measured, tmp_path))
    assert list(again.timings["odd"]) == [odd]


def test_results_name_no_person_and_no_path(measured, tmp_path):
    text = results.save(measured, tmp_path).read_text()
    assert "hostname" not in text and sys.executable not in text


def test_pyperf_reads_the_results(measured, tmp_path):
    path = results.save(measured, tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pyperf", "stats", path],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "loops | sum | 1,000" in done.stdout


@pytest.fixture
def place(measured, tmp_path):
    """Where `measured` is saved below tmp_path."""
    path = tmp_path / measured.machine["slug"] / "what-a-shot-buys.json"
    path.parent.mkdir()
    return path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1"),
        ('{"onthefly": []}', "onthefly"),
        ('{"onthefly": {"format": 1}}', "benchmarks"),
    ],
)
def test_broken_results_are_refused_and_a_run_sets_them_aside(
    measured, place, text, words
):
    place.write_text(text)
    with pytest.raises(CorruptFile) as caught:
        results.load(place)
    line = str(caught.value)
    assert words in line and str(place) in line and "\n" not in line
    assert "run the chapter again" in line
    path = results.save(measured, place.parents[1])
    assert path == place and results.load(path).chapter == "what-a-shot-buys"
    assert place.with_name("what-a-shot-buys.json.broken").read_text() == text


def test_results_of_another_version_stay(measured, place):
    text = '{"onthefly": {"format": 99}}'
    place.write_text(text)
    for action in (
        lambda: results.load(place),
        lambda: results.save(measured, place.parents[1]),
    ):
        with pytest.raises(UserError, match="99, this version reads 1"):
            action()
    assert place.read_text() == text


def test_empty_results_are_refused(tmp_path):
    empty = results.Results("what-a-shot-buys", "S")
    with pytest.raises(UserError, match="nothing to save"):
        results.save(empty, tmp_path)
    assert not list(tmp_path.iterdir())
    empty.tables["probes"] = [{"construct": "lambda", "compiles": "yes"}]
    assert results.load(results.save(empty, tmp_path)).tables == empty.tables
