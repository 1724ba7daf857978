"""What is tried beside the lab's libraries: what renders, keeps and tests."""

import contextlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from checking.cuda_kernel import square_by_numba
from checking.trial import Missing, entering
from onthefly import machine, nvml

TRIALS = {}
trial = entering(TRIALS)


@trial("jupyter-book", lost="the built book")
def use_jupyter_book():
    from jupyter_book.config import get_final_config

    version = importlib.metadata.version("jupyter-book")
    if not version.startswith("1."):
        raise RuntimeError(f"version {version}, but the book is for 1")
    sphinx, _ = get_final_config(
        user_yaml={"title": "On the fly"},
        cli_config={"latex_individualpages": False},
    )
    assert sphinx["html_title"] == "On the fly"
    return "a Sphinx configuration"


@trial("mathjax", "sphinx-mathjax-offline", lost="formulas without a network")
def use_mathjax():
    files = importlib.metadata.files("sphinx-mathjax-offline")
    pages = [f for f in files if f.name == "tex-mml-chtml.js"]
    if not pages or not Path(pages[0].locate()).is_file():
        raise RuntimeError("holds no tex-mml-chtml.js")
    return "the script that sets formulas"


@trial("jupyterlab", lost="make lab")
def use_jupyterlab():
    from jupyterlab.labapp import LabApp

    assert LabApp.name == "lab"
    return "its application"


@trial("asv_runner", lost="every interval")
def use_asv_runner():
    from asv_runner.statistics import quantile_ci

    _, (low, high) = quantile_ci(list(range(20)), 0.5)
    assert low < 9.5 < high
    return "the interval of a median"


@trial("threadpoolctl", lost="the thread pools in the machine record")
def use_threadpoolctl():
    import numpy  # noqa: F401  (loads the pool that is looked for)
    import threadpoolctl as pools

    return f"thread pools found: {len(pools.threadpool_info())}"


@trial("psutil", lost="memory in the machine record")
def use_psutil():
    import psutil as ps

    assert ps.Process().memory_info().rss > 0
    return "the memory of a process"


@trial("fastjsonschema", lost="checking the ledger")
def use_fastjsonschema():
    import fastjsonschema as schema

    check = schema.compile({"required": ["id"]})
    check({"id": 1})
    with contextlib.suppress(schema.JsonSchemaValueException):
        check({})
        raise RuntimeError("accepts what its schema refuses")
    return "a refused document"


@trial("cc", lost="the experiments in C", kind="optional")
def use_compiler():
    found = machine.compiler("C")
    if not found:
        raise Missing("no command cc, nor gcc")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "seven")
        subprocess.run(
            [found, "-x", "c", "-", "-o", program],
            input=b"int main(void) { return 7; }",
            check=True,
        )
        assert subprocess.run([program]).returncode == 7
    return "a compiled C program"


@trial(
    "chromium", "playwright", lost="the tests of the pages", kind="optional"
)
def use_chromium():
    found = shutil.which("chromium")
    if not found:
        raise Missing("no command chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=found, args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.set_content("<title>On the fly</title>")
        assert page.title() == "On the fly"
        version = browser.version
        browser.close()
    return f"a page in Chromium {version}"


@trial("test tools", lost="make test", kind="optional")
def use_test_tools():
    import axe_playwright_python  # noqa: F401
    import hypothesis  # noqa: F401
    import pytest

    command = [sys.executable, "-m", "ruff", "check", "--isolated", "-"]
    subprocess.run(command, input=b"x = 1\n", check=True)
    return f"pytest {pytest.__version__}; ruff on one line"


@trial(
    "cuda simulator",
    "numba",
    lost="checking CUDA kernels without a GPU",
    kind="optional",
)
def use_cuda_simulator():
    os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
    return square_by_numba()


@trial("nvidia", "nvidia-ml-py", lost="the GPU", kind="optional")
def use_nvidia():
    try:
        with nvml.devices() as handles:
            names = [nvml.facts(handle)["name"] for handle in handles]
    except nvml.Missing as error:
        raise Missing(f"no NVIDIA driver ({error})") from None
    return f"{', '.join(names) or 'no GPU'}; try --gpu"
