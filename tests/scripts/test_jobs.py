"""Chapters that time nothing, side by side: real runs over tiny notebooks."""

import json
import signal
import subprocess
import time

import pytest

from conftest import gone
from linting import rules
from small_books import command, environment, run, write_chapter

# Says that it runs, waits for another that says so, and tells what it saw.
MEET = """
import os, pathlib, time
folder = pathlib.Path(os.environ["ONTHEFLY_BUILD"])
end = time.monotonic() + {wait}
(folder / "{own}").write_text(str(os.getpid()))
while not (folder / "{other}").exists() and time.monotonic() < end:
    time.sleep(0.05)
met = (folder / "{other}").exists()
"""


def declared(folder, name, *sources):
    """Write a chapter that is declared to time nothing; return its path."""
    path = write_chapter(folder, name, *sources)
    book = json.loads(path.read_text())
    book["metadata"]["onthefly"] = {"times": False}
    path.write_text(json.dumps(book))
    return path


@pytest.mark.slow
def test_two_that_time_nothing_run_at_once_and_after_the_others(tmp_path):
    chapters = tmp_path / "notebooks"
    for number, own, other in ((10, "a", "b"), (20, "b", "a")):
        source = MEET.format(own=own, other=other, wait=60) + "assert met"
        declared(chapters, f"{number}_{own}.ipynb", source)
    timed = MEET.format(own="timed", other="a", wait=0) + "assert not met"
    leaves = '(folder / "timed").unlink()'
    write_chapter(chapters, "30_timed.ipynb", timed, leaves)
    done = run(tmp_path, "--jobs", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    summary = [line.split()[0] for line in done.stdout.splitlines()[-3:]]
    assert summary == ["a", "b", "timed"], "in the book's order"


@pytest.mark.slow
def test_ctrl_c_ends_all_kernels(tmp_path):
    for number, own in ((10, "a"), (20, "b")):
        source = MEET.format(own=own, other="never", wait=60)
        declared(tmp_path / "notebooks", f"{number}_{own}.ipynb", source)
    process = subprocess.Popen(
        command(tmp_path, "--jobs", "2"), env=environment(), cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    busy = [tmp_path / "build" / name for name in "ab"]
    end = time.monotonic() + 60
    while not all(path.exists() and path.read_text() for path in busy):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert process.returncode == 130 and len(error.splitlines()) == 1
    assert all(gone(int(path.read_text())) for path in busy)


@pytest.mark.slow
def test_a_declared_page_that_measures_fails(tmp_path):
    source = "from onthefly import clock\nclock.seconds(int)"
    declared(tmp_path / "notebooks", "10_false.ipynb", source)
    done = run(tmp_path)
    assert done.returncode == 1 and "UserError" in done.stdout


@pytest.mark.parametrize(
    "source", ["book.measure('x', {})", "clock.seconds(f)", "%timeit f()"]
)
def test_tidy_reports_a_measurement_on_a_declared_page(tmp_path, source):
    measuring = "a measurement, though"
    path = declared(tmp_path, "10_false.ipynb", source)
    assert any(measuring in str(finding) for finding in rules.check(path))
    path = write_chapter(tmp_path, "20_true.ipynb", source)
    assert not any(measuring in str(f) for f in rules.check(path))
