"""What cannot be written: a full disk, and something in the way.

A limit on the size of a file stands for the disk: it fills in the middle of
a write, for root as well.
"""

import json
import os
import re
import subprocess
import sys

from commandline import ROOT
from planting import books
from planting.registry import fault

KIB = 1024


@fault(slow=True)
def chapter_on_a_full_disk(folder):
    """The disk is full when a chapter's notebook is written."""
    notebooks = folder / "notebooks"
    books.write_chapter(notebooks, "10_large.ipynb", "print('x' * 200_000)")
    books.write_chapter(notebooks, "20_small.ipynb", "print('x')")
    done = books.run(folder, largest=100 * KIB)
    assert done.returncode == 1 and not done.stderr, done.stderr
    row = re.search(r"^large +FAILED.*\n.*\n +(.*)$", done.stdout, re.M)
    assert row and "10_large.ipynb: File too large; " in row[1], done.stdout
    assert re.search(r"^small +done", done.stdout, re.M), done.stdout
    for path in (folder / "build" / "partial").glob("*.ipynb"):
        json.loads(path.read_text())  # whole, if not to the end
    again = books.run(folder)
    assert again.returncode == 0, again.stdout
    assert re.search(r"^small +up to date", again.stdout, re.M)
    return done


@fault(slow=True)
def book_on_a_full_disk(folder):
    """The disk is full when the pages are staged, and when they are written.

    The last book stays, and the next build makes it anew.
    """
    book = books.Book(folder)
    before = book.pretend()
    text = (book.root / "book" / "index.md").read_text()
    book.write("index", text + 9999 * "Another first page. ")
    done = book.make(largest=100 * KIB)
    books.assert_refused(done, "index.md: File too large; ")
    book.write("index", text)
    done = book.make(largest=100 * KIB)
    # Sphinx says of each file that it cannot copy it; then we are done.
    assert done.returncode in (1, 2) and "Traceback" not in done.stderr
    assert "File too large" in done.stderr and len(done.stderr) < 10_000
    assert book.state() == before
    again = book.make()
    assert again.returncode == 0, again.stderr
    assert book.page.exists()
    return done


def _claims(**streams):
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / "claims.py", "--json"],
        env=books.environment(), stderr=subprocess.PIPE, text=True, **streams,
    )  # fmt: skip


@fault
def output_on_a_full_disk(folder):
    """The disk is full that a command's output goes to."""
    with open("/dev/full", "w") as full:
        done = _claims(stdout=full)
    books.assert_refused(done, "standard output: No space left on device; ")
    return done


@fault
def reader_that_has_gone(folder):
    """What reads a command's output has ended."""
    reading, writing = os.pipe()
    os.close(reading)
    done = _claims(stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")
    return done


@fault(slow=True)
def log_on_a_full_disk(folder):
    """The disk is full that takes what is shown while chapters run."""
    books.write_chapter(folder / "notebooks", "10_good.ipynb", "1")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            books.command(folder), env=books.environment(), cwd=folder,
            stdout=full, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    books.assert_refused(done, "standard output: No space left on device; ")
    assert (folder / "build/executed/10_good.json").exists()
    return done


@fault(slow=True)
def folder_in_the_place_of_a_stamp(folder):
    """A chapter's stamp cannot be written, for a folder lies there."""
    for name in ("10_good.ipynb", "20_after.ipynb"):
        books.write_chapter(folder / "notebooks", name, "1")
    (folder / "build/executed/10_good.json").mkdir(parents=True)
    done = books.run(folder)
    assert done.returncode == 1 and not done.stderr, done.stderr
    assert re.search(r"^good +FAILED", done.stdout, re.M), done.stdout
    assert "build/executed/10_good.json: Is a directory; " in done.stdout
    assert re.search(r"^after +done", done.stdout, re.M), done.stdout
    return done


@fault
def file_in_the_place_of_the_build(folder):
    """The folder of generated files is a file."""
    books.write_chapter(folder / "notebooks", "10_good.ipynb", "1")
    (folder / "build").write_text("a file")
    done = books.run(folder)
    books.assert_refused(done, "build: File exists; move away")
    assert (folder / "build").read_text() == "a file"
    return done


@fault
def folder_in_the_place_of_the_lock(folder):
    """A run cannot lock its folder."""
    books.write_chapter(folder / "notebooks", "10_good.ipynb", "1")
    (folder / "build" / ".lock").mkdir(parents=True)
    done = books.run(folder)
    books.assert_refused(done, "build/.lock: Is a directory; move away")
    return done


@fault
def file_in_the_place_of_the_shelf(folder):
    """The shelf of recorded results is a file."""
    build = folder / "build"
    path = books.save_results(build / "results")
    (folder / "shelf").write_text("a file")
    done = record(folder, path)
    books.assert_refused(done, "shelf", "move away")
    return done


def record(folder, path, *more, name="box"):
    """Record one results file of `folder`/build; return the process."""
    return books.call(
        "record.py", path.stem, "--name", name, "--preset", "S",
        "--build", path.parents[2], "--machine", path.parent.name,
        "--to", folder / "shelf", *more, folder=folder,
    )  # fmt: skip
