"""The examples: made from their laws, in date, or one line."""

import math

import pytest

import examples
from conftest import ROOT, script
from onthefly import results

CHAPTER = "numba-cuda"


def test_the_examples_follow_their_laws(archive):
    found = results.load(archive / "examples" / f"{CHAPTER}.json", True)
    times = found.timings["ways"]
    assert times.seconds("slow", 20).value == pytest.approx(21)
    assert times.seconds("fast", 20).value == pytest.approx(1)
    assert times.first("slow", 20).value == pytest.approx(210)
    assert math.isfinite(times.ratio("slow", "fast", 20).low)


def test_the_examples_of_this_book_are_up_to_date():
    done = script("examples.py", "--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert list((ROOT / "book" / "examples").glob("*.json"))


def test_a_stale_example_is_named_and_rewritten(archive, capsys):
    folder = archive / "examples"
    (folder / f"{CHAPTER}.json").write_text("{}")
    (folder / "gone.json").write_text("{}")
    command = ["--folder", str(folder)]
    assert examples.main([*command, "--check"]) == 1
    said = capsys.readouterr().err
    assert said.count("is not what laws.yml says") == 2
    assert examples.main(command) == 0
    assert examples.main([*command, "--check"]) == 0
    assert not (folder / "gone.json").exists()
