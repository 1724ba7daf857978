"""What a measurement's key holds, on small pages and on the book's own."""

import ast
import functools
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from commandline import ROOT
from onthefly.folders import PACKAGE
from onthefly.measure import machine
from onthefly.page import dependencies
from onthefly.page.checkout import pages
from reading import notebooks

PAGE = """
import numpy as np

from onthefly.kernels.pi.pi_c import pi_c
from onthefly.kernels.pi.pi_numpy import pi_numpy

sizes = [10, 100]
# a remark
ways = {"NumPy": pi_numpy}
caption = "about NumPy"
ways["C"] = pi_c
book.plot(sizes, caption=caption)
times = book.measure("ways", ways, sizes=sizes)
other = book.measure("other", {"sum": np.sum})
"""
PARAMETERS = {"preset": "S", "device": "cpu", "seed": 1}


def key_of(source, group="ways", lab=None):
    """Return the key of a group of a page of one cell."""
    all_ = dependencies.statements(source)
    place = next(
        k for k, x in enumerate(all_) if group in dependencies.names_in(x)
    )
    return dependencies.key(all_[: place + 1], PARAMETERS, lab)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# a remark", "# another one\n\n"),
        ('caption = "about NumPy"', 'caption = "about arrays"'),
        ("caption=caption)", "caption=caption, x='shots')"),
        ('"other", {"sum": np.sum}', '"other", {"sum": np.prod}'),
        ("import numpy as np", 'import numpy as np\ndata = "here"'),
        # Its layout, in which line a name is imported, and what is looked at.
        ("[10, 100]", "[\n    10,\n    100,\n]"),
        ("import pi_c\n", "import pi_c, pi_c as other\n"),
        ("# a remark", "ways\nsizes[0]"),
    ],
)
def test_what_only_tells_leaves_the_key_as_it_is(old, new):
    assert old in PAGE
    assert key_of(PAGE.replace(old, new)) == key_of(PAGE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[10, 100]", "[10, 1000]"),
        ('ways["C"] = pi_c', 'ways["C"] = pi_numpy'),
        ('ways["C"] = pi_c', 'ways.update({"again": pi_numpy})'),
        ('ways["C"] = pi_c', "for way in (1, 2):\n    ways[way] = pi_c"),
        ('ways["C"] = pi_c', "change(ways)"),
        ("sizes=sizes)", "sizes=sizes, share=2)"),
    ],
)
def test_what_makes_a_candidate_changes_the_key(old, new):
    assert old in PAGE
    changed = dependencies.changes(
        key_of(PAGE), key_of(PAGE.replace(old, new))
    )
    assert any(words.startswith("cells") for words in changed)


def test_a_call_of_a_module_does_not_change_it():
    page = (
        "from onthefly.experiments.gil import races\n"
        "from onthefly.kernels import count\n"
        'book.measure("first", {"a": count.series})\n'
        "races.wrong([1])\n"
        'book.cached("ways", lambda: races.losses(1))\n'
    )
    assert key_of(page) == key_of(page.replace("races.wrong([1])\n", ""))


def test_a_function_may_read_what_is_bound_below_it():
    page = (
        "def outer(n):\n    return inner(n)\n"
        "def inner(n):\n    return n\n"
        'book.measure("ways", {"a": outer})\n'
    )
    assert key_of(page) != key_of(page.replace("return n\n", "return -n\n"))


def test_what_is_called_is_not_changed():
    page = (
        "from onthefly.kernels.count import run_all, series\n"
        "def race(n):\n    run_all([series])\n"
        "def other(n):\n    run_all([n])\n"
        'book.measure("ways", {"a": race})\n'
    )
    assert key_of(page) == key_of(page.replace("run_all([n])", "run_all(n)"))


def test_a_raised_version_of_the_instrument_is_named(monkeypatch):
    before = key_of(PAGE)
    monkeypatch.setattr(dependencies, "INSTRUMENT", 2)
    assert dependencies.changes(before, key_of(PAGE)) == ["instrument"]


def test_a_function_of_the_page_brings_in_what_it_calls():
    page = (
        "def inner(n):\n    return n\n"
        "def outer(n):\n    return inner(n)\n"
        'book.measure("ways", {"a": outer})\n'
    )
    changed = page.replace("return n\n", "return n + 1\n", 1)
    assert key_of(page) != key_of(changed)


@pytest.fixture
def lab(tmp_path):
    """A copy of the lab, which a test may edit."""
    folder = tmp_path / "onthefly"
    shutil.copytree(
        PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__")
    )
    return folder


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("kernels/pi/pi_c.c", ["ways"]),
        ("kernels/pi/pi_c.py", ["ways"]),
        ("tools/cpp.py", ["ways"]),
        ("kernels/pi/pi_numpy.py", ["ways"]),
        ("measure/clock.py", []),
        ("measure/machine.py", []),
        ("kernels/pi/pi_cuda.py", []),
        ("page/chapter.py", []),
        ("figures/curves.py", []),
        ("measure/quantity.py", []),
        ("figures/onthefly.mplstyle", []),
    ],
)
def test_a_file_of_the_lab_changes_the_groups_that_use_it(lab, name, groups):
    before = {g: key_of(PAGE, g) for g in ("ways", "other")}
    (lab / name).write_text((lab / name).read_text() + "\nx = 1\n")
    changed = [
        g
        for g in before
        if key_of(PAGE, g, dependencies.Package(lab)) != before[g]
    ]
    assert changed == groups


@pytest.mark.parametrize(
    ("module", "child"),
    [
        ("experiments.memory.fresh", "experiments/memory/fresh_child.py"),
        ("experiments.numba.stacks", "experiments/numba/stacks_child.py"),
        ("kernels.methods", "kernels/collatz/collatz_numba.py"),
        ("kernels.methods", "kernels/eight_cython.pyx"),
        ("experiments.speed.variants", "kernels/pi/pi_numba_parallel.py"),
    ],
)
def test_what_a_text_with_gaps_names_belongs(module, child):
    files, _ = dependencies.package().closure([f"onthefly.{module}"])
    assert child in files


def test_a_docstring_or_a_comment_of_the_lab_changes_nothing(lab):
    before = key_of(PAGE)
    path = lab / "kernels" / "pi" / "pi_c.py"
    text = path.read_text()
    path.write_text(text.replace('"""', '"""Otherwise: ', 1) + "\n# more\n")
    assert key_of(PAGE, lab=dependencies.Package(lab)) == before


def test_a_library_counts_where_it_is_used():
    page = (
        "import numba\nimport torch\n"
        "@numba.njit\ndef f():\n    return 1\n"
        'book.measure("ways", {"a": f})\n'
    )
    assert set(key_of(page)["packages"]) == {"numba", "llvmlite"}


def test_variables_that_choose_other_code_are_in_the_key():
    code = (
        "from onthefly.page import dependencies\n"
        "print(dependencies.settings())"
    )
    given = {
        "CC": "clang",
        "NUMBA_OPT": "0",
        "OMP_NUM_THREADS": "1",
        "TF_ENABLE_ONEDNN_OPTS": "0",
    }
    others = {"NUMBA_CACHE_DIR": "/x", "TF_CPP_MIN_LOG_LEVEL": "2"}
    folder = {"PYTHONPATH": str(ROOT / "notebooks")}
    run = functools.partial(
        subprocess.check_output, [sys.executable, "-c", code], text=True
    )
    assert ast.literal_eval(run(env=given | others | folder)) == given
    assert ast.literal_eval(run(env=others | folder)) == {}


def test_such_a_variable_makes_a_measurement_another_one(monkeypatch):
    page = 'book.measure("ways", {"a": len})\n'
    plain = key_of(page)
    monkeypatch.setattr(dependencies, "settings", lambda: {"NUMBA_OPT": "0"})
    assert dependencies.changes(plain, key_of(page)) == ["environment"]


def test_another_compiler_of_the_same_name_makes_c_another_measurement(
    monkeypatch, tmp_path
):
    page = (
        "from onthefly.kernels.pi import pi_limit_c\n"
        'book.measure("ways", {"a": pi_limit_c.library})\n'
    )
    without = key_of('book.measure("ways", {"a": len})\n')
    asked = dependencies.compilers.__wrapped__
    monkeypatch.setattr(dependencies, "compilers", asked)
    plain = key_of(page)
    slow = tmp_path / "cc"
    slow.write_text(f'#!/bin/sh\nexec {machine.compiler("C")} "$@" -O0\n')
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    other = key_of(page)
    assert dependencies.changes(plain, other) == ["compilers C"]
    assert "compilers" not in without


def test_changes_name_the_part_and_the_file():
    old = {
        "cells": "a",
        "files": {"x.py": "1", "y.py": "2"},
        "python": "3.11",
    }
    new = {
        "cells": "b",
        "files": {"x.py": "1", "y.py": "3"},
        "python": "3.11",
    }
    assert dependencies.changes(old, new) == ["cells", "files y.py"]


@pytest.mark.parametrize("path", pages(), ids=lambda p: p.stem)
def test_every_measurement_of_the_book_has_a_key(path):
    all_ = [
        statement
        for cell in notebooks.read(path)["cells"]
        if cell["cell_type"] == "code"
        for statement in dependencies.statements(cell["source"])
    ]
    for k, statement in enumerate(all_):
        for method, _ in dependencies.of_book(statement.node):
            if method in dependencies.MEASURES:
                key = dependencies.key(all_[: k + 1], PARAMETERS)
                assert key["instrument"] == dependencies.INSTRUMENT
                assert all(
                    (pathlib.Path(PACKAGE) / name).exists()
                    for name in key["files"]
                )
