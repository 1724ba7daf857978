"""Pages that measure nothing, side by side: real runs of tiny notebooks."""

import pytest

from small_books import run, write_chapter

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


@pytest.mark.slow
def test_two_that_measure_nothing_run_at_once_after_the_others(tmp_path):
    chapters = tmp_path / "notebooks"
    for own, other in (("a", "b"), ("b", "a")):
        source = MEET.format(own=own, other=other, wait=60) + "assert met"
        write_chapter(chapters, f"part/{own}.ipynb", source)
    timed = MEET.format(own="timed", other="a", wait=0) + "assert not met\n"
    timed += "if 0:\n    book.measure('a', {})"
    leaves = '(folder / "timed").unlink()'
    write_chapter(chapters, "part/timed.ipynb", timed, leaves)
    done = run(tmp_path, "--jobs", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    summary = [line.split()[0] for line in done.stdout.splitlines()[-3:]]
    assert summary == ["a", "b", "timed"], "in the book's order"


@pytest.mark.slow
def test_only_a_page_that_measures_nothing_collects_garbage_rarely(tmp_path):
    chapters = tmp_path / "notebooks"
    source = "import gc\nassert gc.get_threshold()[0] {} 10_000"
    write_chapter(chapters, "part/told.ipynb", source.format(">"))
    measures = source.format("<") + "\nif 0:\n    book.measure('a', {})"
    write_chapter(chapters, "part/timed.ipynb", measures)
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_page_that_measures_unforeseen_runs_again_alone(tmp_path):
    source = "from onthefly.measure import clock\nclock.seconds(int)"
    write_chapter(tmp_path / "notebooks", "a/hidden.ipynb", source)
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("hidden: 3 cells") == 2


@pytest.mark.slow
def test_a_page_runs_behind_those_that_it_borrows_from(tmp_path):
    chapters = tmp_path / "notebooks"
    for name, lender in (("a", "b"), ("b", "c"), ("c", "a")):  # a circle, too
        source = "import os, pathlib\n"
        source += "folder = pathlib.Path(os.environ['ONTHEFLY_BUILD'])\n"
        if name != "c":
            source += f"assert (folder / '{lender}').exists()\n"
        source += f"(folder / '{name}').touch()\n"
        source += "if 0:\n    book.measure('x', {})\n"
        source += f'    book.timings_of(\n        "{lender}", "x")'
        write_chapter(chapters, f"part/{name}.ipynb", source)
    done = run(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
