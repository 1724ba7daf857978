"""Repeats: real runs of scripts/run.py over tiny notebooks, in turns."""

import re
import shutil

import pytest

from conftest import MACHINE
from onthefly.folders import PACKAGE
from onthefly.measure import data
from small_books import assert_refused, run, write_chapter

pytestmark = pytest.mark.slow

# Which process it is, as a session; NAME's runs fail where asked.
SAVE = """
import os
from onthefly.page import source
from onthefly.measure import samples
from onthefly.kernels.pi import pi_python
assert os.environ.get("ONTHEFLY_TEST_FAIL") != "NAME", "asked"
pid = float(os.getpid())
series = samples.Series(pi_python.__file__, None, None, (pid,) * 6)
own = source.Source("NAME", data, preset, "auto", 1)
own.samples("ways", lambda: samples.Samples([series], 2))
own.close()
"""


def kept(build):
    """Return {page: {process: the lab that it took}} of all sessions."""
    return {
        path.stem: {
            series.values[0]: series.name
            for session in data.load(path).groups["ways"].sessions
            for series in session
        }
        for path in sorted(build.glob("data/S/box/*.json"))
    }


def book(folder):
    """Write two pages that keep what they measure."""
    for name in ("one", "two"):
        source = SAVE.replace("NAME", name)
        folder.mkdir(exist_ok=True)
        write_chapter(folder / "notebooks", f"a/{name}.ipynb", source)
    return folder


def test_repeats_take_turns_and_add_sessions(tmp_path):
    book(tmp_path)
    done = run(tmp_path, "--repeat", "2")
    assert done.returncode == 0, done.stdout
    order = re.findall(r"^(\w+) (\d): done", done.stdout, re.M)
    assert order == [("one", "1"), ("two", "1"), ("one", "2"), ("two", "2")]
    first = kept(tmp_path / "build")
    assert len(first["one"] | first["two"]) == 4
    assert not (tmp_path / "build" / "executed").exists()
    done = run(tmp_path, "--repeat", "1", ONTHEFLY_TEST_FAIL="one")
    assert done.returncode == 1
    assert re.search(r"^one 1 +FAILED", done.stdout, re.M)
    later = kept(tmp_path / "build")
    assert later["one"] == first["one"] and len(later["two"]) == 3


def test_two_checkouts_take_turns_each_with_its_own_lab(tmp_path):
    """Whatever PYTHONPATH says: the lab beside the pages is meant."""
    book(tmp_path)
    other = book(tmp_path / "other") / "notebooks"
    shutil.copytree(PACKAGE, other / "onthefly")
    done = run(tmp_path, "--repeat", "2", "two", "--against", other)
    assert done.returncode == 0, done.stdout
    order = re.findall(r"^two( against)? (\d): done", done.stdout, re.M)
    assert order == [
        (" against", "1"),
        ("", "1"),
        ("", "2"),
        (" against", "2"),
    ]
    build = tmp_path / "build"
    for folder, lab in (
        (build, PACKAGE),
        (build / "against", other / "onthefly"),
    ):
        sessions = kept(folder)["two"]
        assert len(sessions) == 2
        assert all(name.startswith(str(lab)) for name in sessions.values())


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["--repeat", "0"], ["--repeat 0"]),
        (["--against", "notebooks"], ["--against", "--repeat"]),
        (["--repeat", "1", "--against", "nowhere"], ["nowhere", "no pages"]),
        (["--scheduler", "tcp://127.0.0.1:1", "--repeat", "2"], ["not with"]),
        (
            ["--scheduler", "tcp://127.0.0.1:1", "--sharpen", "1"],
            ["not with"],
        ),
        (["--scheduler", "tcp://127.0.0.1:1", "--data", MACHINE], ["--data"]),
        (["--repeat", "2", "--sharpen", "1"], ["--sharpen: not with"]),
    ],
)
def test_what_cannot_be_repeated_is_refused(tmp_path, asked, words):
    book(tmp_path)
    done = run(tmp_path, *asked)
    assert_refused(done, *words)
    assert not (tmp_path / "build").exists()
