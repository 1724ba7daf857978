"""Results on disk: as they were saved, or one line."""

import dataclasses
import sys

import pytest

from onthefly.errors import CorruptFile, UserError
from onthefly.page import results


def test_results_come_back_as_they_were_saved(measured, tmp_path):
    path = results.save(measured, tmp_path)
    again = results.load(path)
    for field in dataclasses.fields(measured):
        name = field.name
        assert getattr(again, name) == getattr(measured, name), name


def test_results_name_no_person_and_no_path(measured, tmp_path):
    text = results.save(measured, tmp_path).read_text()
    assert "hostname" not in text and sys.executable not in text


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
        ("[]", "no results"),
        ('{"format": 2}', "preset"),
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
    assert path == place and results.load(path).page == "what-a-shot-buys"
    assert place.with_name("what-a-shot-buys.json.broken").read_text() == text


def test_results_of_another_version_stay(measured, place):
    text = '{"format": 99}'
    place.write_text(text)
    for action in (
        lambda: results.load(place),
        lambda: results.save(measured, place.parents[1]),
    ):
        with pytest.raises(UserError, match="99, this version reads 2"):
            action()
    assert place.read_text() == text
