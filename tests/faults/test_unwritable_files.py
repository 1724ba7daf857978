"""What cannot be written: a full disk, and something in the way.

A limit on the size of a file stands for the disk: it fills in the middle of
a write, for root as well.
"""

import json
import re
import shutil
import subprocess

import pytest

from commandline import ROOT
from small_books import (
    assert_refused,
    environment,
    record,
    run,
    save_results,
    write_chapter,
)

LARGEST = 100 * 1024  # bytes of a file


@pytest.fixture
def pages(tmp_path):
    """The folder of two small pages, which no run has touched."""
    for name in ("a/good.ipynb", "b/after.ipynb"):
        write_chapter(tmp_path / "notebooks", name, "print('x')")
    return tmp_path


def test_a_page_that_fills_the_disk_fails_alone_and_runs_again(pages):
    write_chapter(pages / "notebooks", "a/good.ipynb", "print('x' * 200_000)")
    done = run(pages, largest=LARGEST)
    assert done.returncode == 1 and not done.stderr, done.stderr
    row = re.search(r"^good +FAILED(.*\n)+?(?=\w)", done.stdout, re.M)
    assert "a/good.ipynb: File too large; " in row[0]
    assert re.search(r"^after +done", done.stdout, re.M), done.stdout
    for path in (pages / "build" / "partial").glob("*/*.ipynb"):
        json.loads(path.read_text())  # whole, if not to the end
    again = run(pages)
    assert again.returncode == 0, again.stdout
    assert re.search(r"^after +up to date", again.stdout, re.M)


@pytest.mark.parametrize(
    "place",
    [
        "build",
        "build/.lock/",
        "build/results",
        "build/results/box",
        "build/results/box/good.json/",
        "build/partial",
        "build/partial/a/good.log/",
        "build/executed/a/good.json/",
    ],
)
def test_what_lies_in_the_way_is_named_before_a_page_runs(pages, place):
    path = pages / place
    path.parent.mkdir(exist_ok=True, parents=True)
    if place.endswith("/"):
        path.mkdir()
    else:
        path.write_text("a file")
    assert_refused(run(pages), str(path.relative_to(pages)), "; ")
    assert path.is_dir() or path.read_text() == "a file"
    assert not list(pages.glob("build/executed/*/*.ipynb"))


def test_a_file_in_the_place_of_the_recorded_results_is_named(tmp_path):
    path = save_results(tmp_path / "build" / "results")
    (tmp_path / "book").write_text("a file")
    assert_refused(record(tmp_path, path), "book", "move away")


@pytest.mark.parametrize(
    ("place", "code"), [(".lock", 2), ("partial/a/good.log", 0)]
)
def test_what_a_link_in_the_build_points_to_is_left_alone(pages, place, code):
    mine, link = pages / "mine", pages / "build" / place
    mine.write_text("mine")
    link.parent.mkdir(parents=True)
    link.symlink_to(mine)
    assert run(pages).returncode == code
    assert mine.read_text() == "mine"


MEASURED = {"against", "baseline", "data", "repeats", "results", "sweep"}


@pytest.mark.parametrize("linked", [False, True])
def test_make_clean_keeps_what_was_measured(tmp_path, linked):
    shutil.copy(ROOT / "Makefile", tmp_path)
    build = tmp_path / ("elsewhere" if linked else "_build")
    for name in ("html", *MEASURED):
        (build / name).mkdir(parents=True)
    if linked:
        (tmp_path / "_build").symlink_to(build)
    done = subprocess.run(
        ["make", "clean"], cwd=tmp_path, env=environment(),
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {p.name for p in build.iterdir()} == MEASURED
