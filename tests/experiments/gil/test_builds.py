"""Builds of the C extension: the steps, and who loads one."""

import sys

import pytest

from cases import skip_if
from onthefly.experiments.gil import builds
from onthefly.kernels.pi import pi_c

built = skip_if(pi_c.missing())


@built
def test_the_packages_steps_work(tmp_path):
    pi_c.build(tmp_path)
    assert "fails" not in [builds.works(tmp_path, s) for s in builds.STEPS]


@built
def test_an_extension_is_built_when_it_is_used(tmp_path):
    extension = builds.Extension(tmp_path)
    assert not list(tmp_path.iterdir())
    assert 0 < extension.hits(1000, 1) < 1000
    assert extension.library.parent == tmp_path


@built
def test_a_build_that_fails_says_so(tmp_path):
    pi_c.project(tmp_path)
    (tmp_path / "pi_c.c").write_text("no C")
    assert builds.works(tmp_path, "compile") == "fails"


@built
@pytest.mark.skipif(
    hasattr(sys, "_is_gil_enabled") and not sys._is_gil_enabled(),
    reason="no limited API without a GIL",
)
def test_the_limited_api_loads(tmp_path):
    library = pi_c.build(tmp_path, limited=True)
    assert library.name == "pi_c.abi3.so"
    assert builds.loads(sys.executable, tmp_path)


@built
def test_the_name_refuses_and_not_what_it_names(tmp_path, monkeypatch):
    here = {"path": sys.executable, "version": "x", "free_threaded": False}
    monkeypatch.setattr(builds.interpreters, "find", lambda: [here])
    plain = pi_c.build(tmp_path / "plain")
    free = builds.renamed(plain, tmp_path / "renamed")
    other = tmp_path / "other" / plain.name.replace("cpython", "another")
    other.parent.mkdir()
    other.write_bytes(plain.read_bytes())
    names = {"plain": plain, "renamed": free, "another": other}
    assert builds.who_loads(names) == [
        {"CPython": "x", "build": "GIL", "plain": "loads",
         "renamed": "loads", "another": "refused"}
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [None, "raise ImportError", "hits = 3", "import os; os.abort()"],
    ids=["nothing there", "refused", "no function", "crash"],
)
def test_what_is_no_extension_does_not_load(tmp_path, text):
    if text:
        (tmp_path / "pi_c.py").write_text(text)
    assert not builds.loads(sys.executable, tmp_path)


def test_a_build_that_hangs_does_not_load(tmp_path, monkeypatch):
    (tmp_path / "pi_c.py").write_text("import time; time.sleep(600)")
    monkeypatch.setattr(builds, "LIMIT", 2)
    assert not builds.loads(sys.executable, tmp_path)
