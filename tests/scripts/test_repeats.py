"""Repeats: real runs of scripts/run.py over tiny notebooks, in turns."""

import re
import shutil

import pytest

from onthefly import results
from onthefly.provenance import LAB
from small_books import run, write_chapter

# Which process it is, in a results file; NAME's runs fail where asked.
SAVE = """
import os
from onthefly import results, samples, timings
from onthefly.kernels import pi_python
assert os.environ.get("ONTHEFLY_TEST_FAIL") != "NAME", "asked"
series = samples.Series("a", None, None, (1e-3, 2e-3), 1, 0.0)
table = [{"pid": os.getpid(), "lab": pi_python.__file__}]
results.save(results.Results(
    "NAME", preset, timings={"ways": timings.Timings([series], 2)},
    tables={"who": table},
))
"""


def kept(build, side="repeats"):
    """Return {number/slug: the row that its run kept}."""
    return {
        f"{path.parents[1].name}/{path.stem}":
            results.load(path).tables["who"][0]
        for path in sorted(build.glob(f"{side}/*/box/*.json"))
    }  # fmt: skip


def book(folder):
    """Write two pages that keep results."""
    for name in ("one", "two"):
        source = SAVE.replace("NAME", name)
        folder.mkdir(exist_ok=True)
        write_chapter(folder / "notebooks", f"10_{name}.ipynb", source)
    return folder


@pytest.mark.slow
def test_repeats_take_turns_are_kept_and_go_on(tmp_path):
    book(tmp_path)
    done = run(tmp_path, "one")
    assert done.returncode == 0
    plain = {
        path: path.read_bytes()
        for path in (tmp_path / "build").rglob("*.json")
    }
    done = run(tmp_path, "--repeat", "2")
    assert done.returncode == 0, done.stdout
    first = kept(tmp_path / "build")
    assert list(first) == ["001/one", "001/two", "002/one", "002/two"]
    assert len({row["pid"] for row in first.values()}) == 4
    # A plain run's own files stay, and its page is up to date.
    assert all(path.read_bytes() == was for path, was in plain.items())
    assert "up to date" in run(tmp_path, "one").stdout

    done = run(tmp_path, "--repeat", "1", ONTHEFLY_TEST_FAIL="one")
    assert done.returncode == 1
    assert re.search(r"^one repeats 003 +FAILED", done.stdout, re.M)
    assert "AssertionError: asked" in done.stdout
    later = kept(tmp_path / "build")
    assert list(later) == [*first, "003/two"]
    assert {k: later[k] for k in first} == first


@pytest.mark.slow
def test_two_checkouts_take_turns_each_with_its_own_lab(tmp_path):
    """Whatever PYTHONPATH says: the lab beside the pages is meant."""
    book(tmp_path)
    other = book(tmp_path / "other") / "notebooks"
    shutil.copytree(LAB, other / "onthefly")
    done = run(tmp_path, "--repeat", "2", "two", "--against", other)
    assert done.returncode == 0, done.stdout
    order = re.findall(r"^two (\w+ \d+): done", done.stdout, re.M)
    assert order == ["against 001", "repeats 001", "repeats 002",
                     "against 002"]  # fmt: skip
    build = tmp_path / "build"
    for side, lab in (("repeats", LAB), ("against", other / "onthefly")):
        repeats = kept(build, side)
        assert list(repeats) == ["001/two", "002/two"]
        assert all(r["lab"].startswith(str(lab)) for r in repeats.values())


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["--repeat", "0"], ["--repeat 0"]),
        (["--against", "notebooks"], ["--against", "--repeat"]),
        (["--repeat", "1", "--against", "nowhere"], ["nowhere", "no pages"]),
        (["--scheduler", "tcp://127.0.0.1:1", "--repeat", "2"], ["not with"]),
    ],
)
def test_what_cannot_be_repeated_is_refused(tmp_path, asked, words):
    book(tmp_path)
    done = run(tmp_path, *asked)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert all(word in done.stderr for word in words), done.stderr
    assert not (tmp_path / "build").exists()
