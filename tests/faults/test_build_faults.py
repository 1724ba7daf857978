"""Faults while the book is built: the last good book stays as it is."""

import contextlib
import subprocess
import sys
import time
from signal import SIGINT, SIGKILL

import pytest

from commandline import ROOT
from small_books import (
    Book,
    assert_refused,
    environment,
    prose_cell,
)

pytestmark = pytest.mark.slow

LARGEST = 100 * 1024  # bytes of a file


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A small book, built once."""
    small = Book(tmp_path_factory.mktemp("book"))
    assert_built(small)
    return small


@contextlib.contextmanager
def untouched(book):
    """Assert that the pages are the same behind the block."""
    before = book.state()
    yield
    assert book.state() == before


def assert_built(book):
    """Assert that the next build makes the book."""
    made = book.make()
    assert made.returncode == 0, made.stderr
    assert "unchanged" not in made.stdout and book.page.exists()


def test_the_disk_is_full_when_pages_are_staged_and_written(book):
    index = book.root / "book" / "index.md"
    text = index.read_text()
    with untouched(book):
        index.write_text(text + 9999 * "Another first page. ")
        done = book.make(largest=LARGEST)
        assert_refused(done, "index.md: File too large; ")
        index.write_text(text)
        done = book.make(largest=LARGEST)
    # Sphinx says of each file that it cannot copy it; then we are done.
    assert done.returncode in (1, 2) and "Traceback" not in done.stderr
    assert "File too large" in done.stderr and len(done.stderr) < 10_000
    assert_built(book)


def test_a_build_is_ended(book):
    for number, code, lines in (SIGINT, 130, 1), (SIGKILL, -SIGKILL, 0):
        with untouched(book):
            process = started(book)
            time.sleep(0.3)  # Sphinx has begun
            process.send_signal(number)
            _, errors = process.communicate(timeout=15)
        assert process.returncode == code, errors
        assert len(errors.splitlines()) == lines, errors
    assert_built(book)


def test_a_second_build_at_once_is_refused(book):
    with untouched(book):
        process = started(book)
        done = book.make()
        process.send_signal(SIGINT)
        process.communicate(timeout=15)
    assert done.returncode == 2
    assert "another run uses this folder" in done.stderr
    assert_built(book)


def started(book):
    """Start a build; return its process once it has left the checks."""
    book.record.parent.mkdir(exist_ok=True)
    book.record.touch()
    process = subprocess.Popen(
        [sys.executable, ROOT / "scripts/build_book.py",
         *book.arguments("--force")],
        env=environment(), cwd=book.folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    until = time.monotonic() + 90
    while book.record.exists():
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.01)
    return process


def test_a_page_was_executed_by_plain_papermill(book):
    with untouched(book):
        book.execute([prose_cell("# A chapter\n\n{eval}`gain`", {})])
        done = book.make()
    book.execute()
    assert done.returncode == 1
    (line,) = [x for x in done.stderr.splitlines() if "WARNING" in x]
    assert "cell 1: {eval}`gain`: no value is stored" in line
    assert f"run.py {book.notebook.stem} --force" in line
