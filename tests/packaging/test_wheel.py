"""The package where it is installed from its wheel, far from the book."""

import os
import subprocess
import sys

import pytest

from conftest import ROOT

INSTRUMENT = (
    "measure", "diagnose", "predict", "compare", "sweep", "questions",
    "environment", "figures", "reports", "terminal", "commands",
)  # fmt: skip
IMPORT = """
import importlib, pkgutil, sys
import onthefly
for part in sys.argv[1:]:
    package = importlib.import_module(f"onthefly.{part}")
    within = package.__path__, f"{package.__name__}."
    for module in pkgutil.walk_packages(*within):
        if module.name != "onthefly.diagnose.magic":  # for IPython
            importlib.import_module(module.name)
known = {name.partition(".")[0] for name in sys.modules}
print(sorted(known & {"papermill", "nbformat", "IPython", "tensorflow"}))
print(any(name.startswith("onthefly.page") for name in sys.modules))
"""
MINE = """
def loop(n):
    total = 0
    for k in range(n):
        total += k * k % 7
    return total
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return a function that runs a program of an environment of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps",
         "--no-build-isolation", "-w", folder, ROOT])  # fmt: skip
    (wheel,) = folder.glob("onthefly-*.whl")
    uv = [sys.executable, "-m", "uv"]
    run([*uv, "venv", "-q", "--python", sys.executable, folder / "env"])
    python = folder / "env/bin/python"
    run([*uv, "pip", "install", "-q", "--python", python, wheel])
    empty = folder / "empty"
    empty.mkdir()
    (empty / "mine.py").write_text(MINE)
    return lambda name, *arguments: run(
        [folder / "env/bin" / name, *arguments], cwd=empty
    )


def run(command, **options):
    """Run a program to its end; return what it prints."""
    own = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [*map(str, command)],
        env=own,
        capture_output=True,
        text=True,
        timeout=600,
        **options,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
def test_the_instrument_knows_no_page_of_the_book(installed):
    libraries, page = installed("python", "-c", IMPORT, *INSTRUMENT).split(
        "\n"
    )[:2]
    assert (libraries, page) == ("[]", "False")


@pytest.mark.slow
def test_it_reports_on_a_function_in_an_empty_folder(installed):
    told = installed("onthefly", "confirm", "mine.py:loop", "--budget", "1",
                     "--sizes", "100,10000")  # fmt: skip
    assert "Verdict" in told and "numba.njit" in told


@pytest.mark.slow
def test_it_chooses_by_the_numbers_that_it_ships(installed):
    told = installed(
        "onthefly", "choose", "--problem", "dot", "--size", "1e5"
    )
    assert "dot" in told


@pytest.mark.slow
def test_it_completes_a_shell_and_tells_its_version(installed):
    assert "onthefly" in installed("onthefly", "--completion", "bash")
    assert installed("onthefly", "--version").startswith("onthefly 0.")


@pytest.mark.slow
def test_it_answers_questions_by_what_it_ships(installed):
    told = installed("onthefly", "questions", "prange", "--machine",
                     "amd-epyc-2c")  # fmt: skip
    assert "notebooks/compiling/" in told and "preset" in told


@pytest.mark.slow
def test_what_it_can_do_without_is_no_fault(installed):
    told = installed("onthefly", "env", "numpy", "torch")
    assert "OK      numpy" in told and "missing torch" in told


@pytest.mark.slow
def test_every_command_has_help_with_an_example(installed):
    for name in ("compare", "sweep", "questions", "env"):
        told = installed("onthefly", name, "--help")
        assert f"    onthefly {name} " in told and "Exit code" in told


@pytest.mark.slow
def test_it_finds_the_kernels_that_it_ships(installed):
    told = installed("python", "-c", "from onthefly.sweep import kernels\n"
                     "for k in kernels.chosen('numpy', ['pi_numpy']):\n"
                     "    print(k.name, *k.needs)")  # fmt: skip
    assert "pi_numpy numpy\n" in told


@pytest.mark.slow
def test_two_files_of_pyperf_are_compared(installed):
    pyperf = "-m", "pyperf", "timeit", "-q", "-p", "6", "-n", "1", "-w", "1"
    for name in ("a.json", "b.json"):
        installed("python", *pyperf, "-o", name, "sum(range(99))")
    done = installed("onthefly", "compare", "a.json", "b.json",
                     "--threshold", "0.9")  # fmt: skip
    assert "6 runs of" in done
