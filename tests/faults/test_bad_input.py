"""What is given to a command and is none: values, names, books."""

import contextlib
import os
import subprocess
import sys

import pytest

import build_book
from commandline import ROOT
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


def test_a_build_without_a_name_is_made_nowhere(tmp_path):
    write_chapter(tmp_path / "notebooks", "a/good.ipynb", "1")
    before = sorted(os.listdir(tmp_path))
    done = run(tmp_path, "--build", " ")
    assert_refused(done, "--build: name a folder")
    done = run_script("claims.py", folder=tmp_path, ONTHEFLY_BUILD=" ")
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(tmp_path)) == before


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project with one page; each test mends what it broke."""
    root = project(tmp_path_factory.mktemp("project"))
    write_chapter(root / "notebooks", "measuring/first_benchmark.ipynb", "1")
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


def test_make_leaves_the_environment_of_another_checkout_alone(copy):
    """Which a link leads to: its commands would run this copy's package."""
    (copy / "other").mkdir()
    link = copy / ".venv"
    link.symlink_to(copy / "other")
    command = ["make", "-o", "pyproject.toml", "env"]
    try:
        done = subprocess.run(
            command, cwd=copy, capture_output=True, text=True
        )
    finally:
        link.unlink()
    assert done.returncode == 2 and "repair: rm .venv" in done.stdout
    assert not list((copy / "other").iterdir())


@pytest.mark.parametrize("limit", ["-n", "-Sn"])
def test_few_open_files_are_refused_or_raised(tmp_path, limit):
    write_chapter(tmp_path / "notebooks", "a/good.ipynb", "1")
    command = [
        sys.executable, ROOT / "scripts/run.py", "--plan",
        "--notebooks", tmp_path / "notebooks", "--build", tmp_path / "build",
    ]  # fmt: skip
    done = subprocess.run(
        ["bash", "-c", f'ulimit {limit} 64 && exec "$@"', "bash", *command],
        env=environment(PYTHONPATH=str(ROOT / "notebooks")),
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    if limit == "-n":
        assert_refused(done, "allows 64", "ulimit -Hn")
    else:
        assert done.returncode == 0, done.stderr


@contextlib.contextmanager
def broken(path, text):
    """Let a file hold another text within the block."""
    good = path.read_text()
    path.write_text(text)
    try:
        yield
    finally:
        path.write_text(good)


@pytest.mark.parametrize(
    "line", [["claims.py"], ["run.py", "first-benchmark"]]
)
def test_a_broken_ledger_is_named(copy, line):
    path = copy / "book" / "claims.yml"
    with broken(path, path.read_text().replace("value: 1.8", "value: .nan")):
        done = run_script(*line, folder=copy, root=copy)
    assert_refused(done, f"{path}: ")
    assert not (copy / "_build" / "executed").exists()


TOC = "root: book/index\nchapters:\n"


@pytest.mark.parametrize("line", [["build_book.py"], ["run.py", "--plan"]])
def test_a_page_misspelt_in_the_contents_is_named(copy, line):
    wrong = "measuring/frist_benchmark"
    toc = f"format: jb-book\n{TOC}- file: notebooks/{wrong}\n"
    with broken(copy / "_toc.yml", toc):
        done = run_script(*line, folder=copy, root=copy)
    text = done.stdout + done.stderr
    assert "_toc.yml" in text and wrong in text
    assert f"run.py {wrong}" not in text  # which run.py would refuse
    if line == ["build_book.py"]:
        assert_refused(done)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_toc.yml", None),
        ("_toc.yml", "- file: book/index\n"),
        ("_toc.yml", f"{TOC}- glob: notebooks/*\n"),
        ("_toc.yml", f"{TOC}- file: notebooks/x\n"),
        ("_config.yml", None),
        ("_config.yml", "a: [\n"),
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
