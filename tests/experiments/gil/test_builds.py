"""Builds of the C extension: the steps, and who loads one."""

import sys

import pytest

from onthefly.experiments.gil import builds
from onthefly.kernels import pi_c

built = pytest.mark.skipif(bool(pi_c.missing()), reason=pi_c.missing() or "-")


@built
def test_the_packages_steps_work(tmp_path):
    pi_c.build(tmp_path)
    assert "fails" not in [builds.works(tmp_path, s) for s in builds.STEPS]


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


@pytest.mark.parametrize(
    "text",
    [None, "raise ImportError", "hits = 3", "import os; os.abort()"],
    ids=["nothing there", "refused", "no function", "crash"],
)
def test_what_does_not_load_is_told(tmp_path, text):
    if text:
        (tmp_path / "pi_c.py").write_text(text)
    assert not builds.loads(sys.executable, tmp_path)


def test_a_build_that_hangs_does_not_load(tmp_path, monkeypatch):
    (tmp_path / "pi_c.py").write_text("import time; time.sleep(600)")
    monkeypatch.setattr(builds, "LIMIT", 2)
    assert not builds.loads(sys.executable, tmp_path)
