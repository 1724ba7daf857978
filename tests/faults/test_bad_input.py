"""What is given to a command and is none: values, names, books."""

import os
import subprocess
import sys

import pytest

import build_book
from conftest import call
from small_books import (
    Book,
    assert_refused,
    environment,
    project,
    run,
    run_script,
    write_chapter,
)


@pytest.mark.parametrize("name", ["", " "])
def test_a_build_without_a_name_is_made_nowhere(tmp_path, name):
    write_chapter(tmp_path / "notebooks", "10_good.ipynb", "1")
    before = sorted(os.listdir(tmp_path))
    done = run(tmp_path, "--build", name)
    assert_refused(done, "--build: name a folder")
    done = run_script("claims.py", folder=tmp_path, ONTHEFLY_BUILD=name)
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(tmp_path)) == before


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project with one page; each test mends what it broke."""
    root = project(tmp_path_factory.mktemp("project"))
    write_chapter(root / "notebooks", "10_first_benchmark.ipynb", "1")
    return root


@pytest.mark.parametrize("name", ["PRESET", "DEVICE"])
def test_make_hands_on_what_a_shell_would_run(copy, tmp_path, name):
    odd = f"S; touch '{tmp_path}/made' \"$(touch {tmp_path}/made)\""
    done = subprocess.run(
        ["make", "-o", ".venv/.installed", f"PY={sys.executable}",
         "book", f"{name}={odd.replace('$', '$$')}"],
        env=environment(PYTHONPATH=str(copy / "notebooks")),
        cwd=copy, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    refusal, _ = done.stderr.splitlines()  # and make's own
    assert done.returncode == 2 and f"{name.lower()} {odd!r}" in refusal
    assert not (tmp_path / "made").exists()


SOURCE = "  okuda2018tfug:"
LEDGERS = {
    "not UTF-8": ("sources:", "sources: # \udce4"),
    "a key twice": ("\nclaims:", "\nclaims: []\nclaims:"),
    "no number": ("value: 1.8", "value: .nan"),
    "no name of a source": (SOURCE, "  nobody:"),
}


@pytest.mark.parametrize("broken", [*LEDGERS, "empty"])
def test_a_broken_ledger_is_named(copy, broken):
    path = copy / "book" / "claims.yml"
    good = path.read_text()
    text = good.replace(*LEDGERS.get(broken, (good, "")))
    assert text != good
    path.write_text(text, errors="surrogateescape")
    try:
        for line in (["claims.py"], ["run.py", "first-benchmark"]):
            done = run_script(*line, folder=copy, root=copy)
            assert_refused(done, f"{path}: ")
    finally:
        path.write_text(good)
    assert not (copy / "_build" / "executed").exists()


TOC = "root: book/index\nchapters:\n"


@pytest.mark.parametrize("line", [["build_book.py"], ["run.py", "--plan"]])
def test_a_page_misspelt_in_the_contents_is_named(copy, line):
    path = copy / "_toc.yml"
    good = path.read_text()
    wrong = "10_frist_benchmark"
    path.write_text(f"format: jb-book\n{TOC}- file: notebooks/{wrong}\n")
    try:
        done = run_script(*line, folder=copy, root=copy)
    finally:
        path.write_text(good)
    text = done.stdout + done.stderr
    assert "_toc.yml" in text and wrong in text
    assert f"run.py {wrong}" not in text  # which run.py would refuse
    if line == ["build_book.py"]:
        assert_refused(done)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_toc.yml", None),
        ("_toc.yml", ""),
        ("_toc.yml", "- file: book/index\n"),
        ("_toc.yml", f"{TOC}- glob: notebooks/*\n"),
        ("_toc.yml", f"{TOC}- file: notebooks/x\n"),
        ("_toc.yml", f"{TOC}- file: 7\n"),
        ("_config.yml", None),
        ("_config.yml", ""),
        ("_config.yml", "a: [\n"),
        ("_config.yml", "- a\n"),
        ("_config.yml", "execute: 7\n"),
    ],
)
def test_broken_contents_and_settings_are_named(tmp_path, name, text):
    book = Book(tmp_path)
    if text is None:
        (book.root / name).unlink()
    else:
        (book.root / name).write_text(text)
    done = call(build_book.main, *book.arguments(), environment=environment())
    assert_refused(done, name)
    assert not book.index.exists()
