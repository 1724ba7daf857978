"""Where a command's output goes: a full disk, nobody, an odd encoding."""

import os
import subprocess
import sys

import small_books
from commandline import ROOT
from small_books import assert_refused, environment, run_script, write_chapter

FULL = "standard output: No space left on device; "


def printing(folder, line, output):
    """Run a command line whose output goes to a file; return its end."""
    return subprocess.run(
        [*map(str, line)], env=environment(), cwd=folder, stdout=output,
        stderr=subprocess.PIPE, text=True, timeout=120,
    )  # fmt: skip


def claims(folder, output):
    """Print all verdicts to a file; return the ended process."""
    script = ROOT / "scripts" / "claims.py"
    return printing(folder, [sys.executable, script, "--json"], output)


def test_a_full_disk_is_named(tmp_path):
    with open("/dev/full", "w") as full:
        assert_refused(claims(tmp_path, full), FULL)


def test_a_full_disk_under_the_progress_of_a_run_costs_no_page(tmp_path):
    write_chapter(tmp_path / "notebooks", "a/good.ipynb", "1")
    with open("/dev/full", "w") as full:
        done = printing(tmp_path, small_books.command(tmp_path), full)
    assert_refused(done, FULL)
    assert (tmp_path / "build/executed/a/good.json").exists()


def test_a_reader_that_has_gone_is_no_fault(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    done = claims(tmp_path, writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_an_output_that_is_not_utf_8_is_written(tmp_path):
    write_chapter(tmp_path / "notebooks", "a/good.ipynb", "print('π × ✓')")
    for script, *line in (["claims.py"], small_books.command(tmp_path)[1:]):
        done = run_script(
            script, *line, folder=tmp_path, PYTHONIOENCODING="ascii"
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout and not done.stderr
