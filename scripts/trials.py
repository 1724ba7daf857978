"""One trial a library: each uses it and returns what it saw.

check_env.py runs every trial in a process of its own.
"""

import contextlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


class Missing(Exception):
    """What a trial raises where something is not there; says what."""


@dataclass(frozen=True)
class Trial:
    """How one library is tried.

    use       uses it and returns what it saw
    packages  the distributions that may hold it, () for none
    kind      "required", "optional", or "gpu": tried by --gpu only
    lost      what is lost without it
    """

    use: Callable[[], str]
    packages: tuple[str, ...]
    kind: str
    lost: str

    @property
    def version(self):
        """The version of the first distribution that is installed."""
        for name in self.packages:
            with contextlib.suppress(importlib.metadata.PackageNotFoundError):
                return importlib.metadata.version(name)
        return ""


TRIALS = {}


def trial(name, *packages, lost, kind="required"):
    """Enter the decorated function as the trial of `name`.

    It returns what it saw working.  It raises Missing, or an import does,
    where something is not there; any other exception is a failure.
    The distribution is called as the trial, unless `packages` say others.
    """

    def enter(use):
        TRIALS[name] = Trial(use, packages or (name,), kind, lost)
        return use

    return enter


# --- the trials: each uses one library and returns what it saw -------------


@trial("numpy", lost="every chapter")
def use_numpy():
    import numpy as np

    a = np.arange(6.0).reshape(2, 3)
    assert (a @ a.T).tolist() == [[5, 14], [14, 50]]
    return "a matrix product"


@trial("scipy", lost="the intervals of ratios and fits")
def use_scipy():
    import numpy as np
    from scipy import stats

    data = (np.arange(20.0),)
    low, high = stats.bootstrap(data, np.median).confidence_interval
    assert low < 9.5 < high
    return "a bootstrap interval"


@trial("numba", lost="the Numba measurements")
def use_numba():
    from numba import njit

    @njit
    def total(n):
        s = 0
        for i in range(n):
            s += i
        return s

    assert total(10) == 45 and total.signatures
    return "a compiled loop"


@trial("numexpr", lost="a neighbour in the chapter on the speed limit")
def use_numexpr():
    import numexpr

    assert numexpr.evaluate("a * a", local_dict={"a": 3}) == 9
    return "an expression"


@trial(
    "tensorflow",
    "tensorflow-cpu",
    "tensorflow",
    lost="the TensorFlow measurements",
)
def use_tensorflow():
    import tensorflow as tf

    @tf.function
    def square(x):
        return x * x

    assert float(square(tf.constant(3.0))) == 9
    return f"a graph; GPUs: {len(tf.config.list_physical_devices('GPU'))}"


@trial("torch", lost="the PyTorch measurements")
def use_torch():
    import torch

    x = torch.tensor(3.0, requires_grad=True)
    (x * x).backward()
    assert float(x.grad) == 6
    return f"a gradient; GPUs: {torch.cuda.device_count()}"


@trial("dask", lost="the Dask measurements")
def use_dask():
    import dask

    parts = [dask.delayed(pow)(n, 2) for n in range(4)]
    assert dask.delayed(sum)(parts).compute(scheduler="threads") == 14
    return "a graph on threads"


@trial("distributed", lost="Dask's scheduler")
def use_distributed():
    from distributed import Client

    options = {"processes": False, "dashboard_address": None}
    with Client(n_workers=1, threads_per_worker=1, **options) as client:
        assert client.submit(pow, 3, 2).result(timeout=30) == 9
    return "a task on a local scheduler"


@trial("matplotlib", lost="every figure")
def use_matplotlib():
    import io

    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    with mpl.rc_context({"svg.fonttype": "none"}):
        plt.plot([0, 1])
        plt.xlabel("shots")
        plt.savefig(page := io.StringIO(), format="svg")
    assert ">shots</text>" in page.getvalue()
    return "an SVG figure with text as text"


@trial("papermill", lost="running any chapter")
def use_papermill():
    import nbformat
    import papermill as pm

    nb = nbformat.v4.new_notebook()
    nb.cells = [nbformat.v4.new_code_cell("print(6 * 7)")]
    with tempfile.TemporaryDirectory() as folder:
        source = str(Path(folder, "in.ipynb"))
        nbformat.write(nb, source)
        done = pm.execute_notebook(
            source, None, kernel_name="python3", progress_bar=False
        )
    assert done.cells[0].outputs[0].text.strip() == "42"
    return "a notebook run by the kernel python3"


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


@trial("pyperf", lost="keeping results")
def use_pyperf():
    import pyperf as perf

    loops = perf.Run([0.2, 0.4], metadata={"name": "x"}, collect_metadata=0)
    assert abs(perf.Benchmark([loops]).median() - 0.3) < 1e-9
    return "a benchmark"


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
    found = shutil.which("cc")
    if not found:
        raise Missing("no command cc")
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
    return _numba_kernel()


def _numba_kernel():
    """Run one Numba CUDA kernel on the device, or its simulator."""
    import numpy as np

    global cuda  # where the simulator looks for the name
    from numba import cuda

    @cuda.jit
    def square(x):
        k = cuda.grid(1)
        if k < x.size:
            x[k] *= x[k]

    x = np.arange(4.0)
    square[1, 8](x)
    assert x.tolist() == [0, 1, 4, 9]
    return "a kernel compiled and run"


@trial("nvidia", "nvidia-ml-py", lost="the GPU", kind="optional")
def use_nvidia():
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        raise Missing(f"no NVIDIA driver ({error})") from None
    count = pynvml.nvmlDeviceGetCount()
    devices = map(pynvml.nvmlDeviceGetHandleByIndex, range(count))
    names = ", ".join(map(pynvml.nvmlDeviceGetName, devices)) or "no GPU"
    return f"{names}; try --gpu"


# --- on the GPU: one kernel compiled and run by each library ---------------


@trial("numba-cuda", lost="Numba on the GPU", kind="gpu")
def use_numba_cuda():
    _installed("numba-cuda")
    return _numba_kernel()


@trial("cupy", "cupy-cuda13x", "cupy-cuda12x", lost="CuPy", kind="gpu")
def use_cupy():
    import cupy as cp

    code = r"""extern "C" __global__ void square(double* x, int n) {
        int k = blockDim.x * blockIdx.x + threadIdx.x;
        if (k < n) x[k] *= x[k];
    }"""
    x = cp.arange(4.0)
    cp.RawKernel(code, "square")((1,), (8,), (x, 4))
    assert x.get().tolist() == [0, 1, 4, 9]
    return "a RawKernel compiled and run"


@trial("torch-cuda", "torch", lost="PyTorch on the GPU", kind="gpu")
def use_torch_cuda():
    import torch

    if not torch.version.cuda:
        raise Missing("a build without CUDA")
    square = torch.compile(lambda x: x * x)
    assert square(torch.arange(4.0, device="cuda")).tolist() == [0, 1, 4, 9]
    return f"a kernel compiled and run, CUDA {torch.version.cuda}"


@trial(
    "tensorflow-cuda", "tensorflow", lost="TensorFlow on the GPU", kind="gpu"
)
def use_tensorflow_cuda():
    # As the chapters import it: by itself, 2.21.0 does not find cuSOLVER.
    from onthefly.tools.quiet_tensorflow import tf

    if not tf.test.is_built_with_cuda():
        raise Missing("a build without CUDA")
    if not tf.config.list_physical_devices("GPU"):
        raise RuntimeError("TensorFlow sees no GPU")

    @tf.function(jit_compile=True)
    def square(x):
        return x * x

    with tf.device("/GPU:0"):
        y = square(tf.range(4.0))
    assert "GPU" in y.device and y.numpy().tolist() == [0, 1, 4, 9]
    return "a kernel compiled and run"


def _installed(package):
    """Raise Missing where a distribution is not installed."""
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise Missing("not installed") from None
