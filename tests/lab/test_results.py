"""Results on disk: as they were saved, or one line."""

import dataclasses
import subprocess
import sys

import pytest

from onthefly import results
from onthefly.refused import Refused
from onthefly.timings import Timings


def test_results_come_back_as_they_were_saved(measured, tmp_path):
    path = results.save(measured, tmp_path)
    again = results.load(path)
    assert list(again.timings["loops"]) == list(measured.timings["loops"])
    for field in dataclasses.fields(measured):
        if field.name != "timings":
            name = field.name
            assert getattr(again, name) == getattr(measured, name), name


def test_an_older_file_knows_not_where_its_work_was_done(measured, tmp_path):
    series = measured.timings["loops"].series("sum", 100)
    unknown = dataclasses.replace(series, elsewhere=None)
    measured.timings = {"old": Timings([unknown])}
    again = results.load(results.save(measured, tmp_path))
    assert list(again.timings["old"]) == [unknown]


def test_results_name_no_person_and_no_path(measured, tmp_path):
    text = results.save(measured, tmp_path).read_text()
    assert "hostname" not in text and sys.executable not in text


@pytest.mark.parametrize("command", ["show", "stats", "compare_to"])
def test_pyperf_reads_the_results(measured, tmp_path, command):
    path = str(results.save(measured, tmp_path))
    files = [path, path] if command == "compare_to" else [path]
    done = subprocess.run(
        [sys.executable, "-m", "pyperf", command, *files],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    if command != "compare_to":
        assert "loops | sum | 1,000" in done.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "'onthefly' is missing"),
        (
            '{"onthefly": {"format": 99}}',
            "format is 99, this version reads 1",
        ),
        ('{"onthefly": {"format": 1}}', "quantities"),
    ],
)
def test_bad_results_name_file_and_repair(measured, tmp_path, text, message):
    path = tmp_path / measured.machine["slug"] / "method.json"
    path.parent.mkdir()
    path.write_text(text)
    for action in (results.load, lambda _: results.save(measured, tmp_path)):
        with pytest.raises(Refused) as caught:
            action(path)
        line = str(caught.value)
        assert message in line and str(path) in line and "\n" not in line
        assert "run the chapter again" in line
    assert path.read_text() == text  # nothing overwritten


def test_results_without_timings_are_refused(tmp_path):
    with pytest.raises(Refused, match="no timings"):
        results.save(results.Results("method", "S"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    results.write_atomically(path, "old")

    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(results.os, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        results.write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
