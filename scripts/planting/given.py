"""What is given to a command and is none: values, names, files."""

import functools
import json
import os
import shutil
import subprocess
import sys

from planting import books
from planting.disk import record
from planting.registry import fault


@fault
def limits_that_are_none(folder):
    """A time limit that is too short to start in, or no number."""
    books.write_chapter(folder / "notebooks", "10_good.ipynb", "1")
    for limit in ("1e-9", "nan", "1e999"):
        done = books.run(folder, f"--limit={limit}")
        books.assert_refused(done, "--limit")
    assert not (folder / "build").exists()
    return done


@fault
def share_of_noise_that_is_none(folder):
    """A share of noisy series that would switch the check off."""
    path = books.save_results(folder / "build/results")
    done = record(folder, path, "--noisy", "nan")
    books.assert_refused(done, "--noisy nan")
    assert not (folder / "shelf").exists()
    return done


@fault(slow=True)
def folder_without_a_name(folder):
    """The folder of generated files is named, and has no name."""
    books.write_chapter(folder / "notebooks", "10_good.ipynb", "1")
    before = sorted(os.listdir(folder))
    for name in ("", " "):
        done = books.run(folder, "--build", name)
        books.assert_refused(done, "--build: name a folder")
        told = books.call("claims.py", folder=folder, ONTHEFLY_BUILD=name)
        assert told.returncode == 0, told.stderr
    assert sorted(os.listdir(folder)) == before
    return done


@fault
def values_that_a_shell_would_run(folder):
    """Values that make hands on, and that a shell would take apart."""
    copy = books.project(folder / "copy")
    odd = f"S; touch '{folder}/made' \"$(touch {folder}/made)\""
    for name in ("PRESET", "DEVICE"):
        done = subprocess.run(
            ["make", "-o", ".venv/.installed", f"PY={sys.executable}",
             "book", f"{name}={odd.replace('$', '$$')}"],
            env=books.environment(PYTHONPATH=str(copy / "notebooks")),
            cwd=copy, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        said = done.stderr.splitlines()
        assert f"{name.lower()} {odd!r}" in said[0], said
        assert len(said) == 2 and done.returncode == 2, said
    assert not (folder / "made").exists()
    return done


def _deep(depth):
    """Return lists in lists."""
    return functools.reduce(lambda inner, _: [inner], range(depth), [])


def _change(key, value):
    """Return what changes the parameters cell of a notebook."""
    return lambda cell: cell.update({key: value})


CELLS = {
    "tags that are none": _change("metadata", {"tags": None}),
    "a number in a source": _change("source", ["a = 1", 7]),
    "no source": _change("source", {}),
    "deep metadata": _change("metadata", {"mystnb": _deep(400)}),
    "half a character": _change("source", "\ud800"),
}
TEXTS = {
    "very deep": lambda text: "[" * 10**5,
    "a key twice": lambda text: text.replace("{", '{"cells": [],', 1),
    "half of it": lambda text: text[: len(text) // 2],
    "no UTF-8": lambda text: text.replace("seed", "s\udce4d"),
}


@fault(slow=True)
def broken_notebooks(folder):
    """A notebook is broken in one place, in nine ways."""
    path = books.write_chapter(folder / "notebooks", "10_good.ipynb", "1")
    good = path.read_text()
    texts = {name: broken(good) for name, broken in TEXTS.items()}
    for name, change in CELLS.items():
        notebook = json.loads(good)
        change(notebook["cells"][1])
        texts[name] = json.dumps(notebook)
    path.unlink()
    for number, text in enumerate(texts.values(), 10):
        path = folder / f"notebooks/{number}_broken_{number}.ipynb"
        path.write_text(text, errors="surrogateescape")
        done = books.run(folder, path.stem, "--plan")
        books.assert_refused(done, f"{path.name}: ")
    paths = sorted(path.parent.iterdir())
    done = books.call("tidy.py", *paths, folder=folder)
    assert done.returncode == 2 and not done.stderr, done.stderr
    for line in done.stdout.splitlines():
        assert "_broken_" in line.partition(".ipynb: ")[0], line
    for path in paths:
        assert f"{path.name}: " in done.stdout, path
    return done


SOURCE = "  okuda2018tfug:"
LEDGERS = {
    "not UTF-8": lambda text: text.replace("sources:", "sources: # \udce4"),
    "a key twice": lambda text: f"{text}\nclaims: []\n",
    "no number": lambda text: text.replace("value: 1.8", "value: .nan"),
    "no name of a source": lambda text: text.replace(SOURCE, "  nobody:"),
    "empty": lambda text: "",
}


@fault(slow=True)
def broken_ledgers(folder):
    """The ledger of claims is broken in one place, in five ways."""
    copy = books.project(folder / "copy")
    chapter = books.write_chapter(
        copy / "notebooks", "10_first_benchmark.ipynb", "1"
    )
    path = copy / "book" / "claims.yml"
    good = path.read_text()
    for name, broken in LEDGERS.items():
        path.write_text(broken(good), errors="surrogateescape")
        assert path.read_text(errors="ignore") != good, name
        for command, *more in (["claims.py"], ["run.py", chapter.stem]):
            done = books.call(command, *more, folder=folder, root=copy)
            books.assert_refused(done, f"{path}: ")
            assert not (copy / "_build" / "executed").exists()
    return done


TOCS = {
    "missing": None,
    "empty": "",
    "a list": "- file: book/index\n",
    "a glob": "root: book/index\nchapters:\n- glob: notebooks/*\n",
    "no chapter": "root: book/index\nchapters:\n- file: notebooks/x\n",
    "a number": "root: book/index\nchapters:\n- file: 7\n",
}
SETTINGS = {
    "missing": None,
    "empty": "",
    "no YAML": "a: [\n",
    "a list": "- a\n",
    "of another form": "execute: 7\n",
}


@fault(slow=True)
def broken_contents_and_settings(folder):
    """_toc.yml or _config.yml is missing or broken, in eleven ways."""
    book = books.Book(folder)
    for name, cases in (("_toc.yml", TOCS), ("_config.yml", SETTINGS)):
        path = book.root / name
        shutil.copy(path, folder)
        for text in cases.values():
            path.unlink(missing_ok=True)
            if text is not None:
                path.write_text(text)
            done = book.make()
            books.assert_refused(done, name)
        shutil.copy(folder / name, path)
    assert not book.index.exists()
    return done


RESULTS = {
    "no results": lambda data: {**data, "onthefly": []},
    "no runs": lambda data: {**data, "benchmarks": [{"runs": []}]},
    "no metadata": lambda data: {**data, "metadata": None},
    "no benchmarks": lambda data: {**data, "benchmarks": 7},
}


@fault(slow=True)
def broken_results(folder):
    """The results of a run are broken in one place, in four ways."""
    path = books.save_results(folder / "build" / "results")
    good = json.loads(path.read_text())
    for broken in RESULTS.values():
        path.write_text(json.dumps(broken(good)))
        done = books.call(
            "claims.py", folder=folder, ONTHEFLY_BUILD=str(folder / "build")
        )
        books.assert_refused(done, f"{path}: ")
    assert path.exists()
    return done
