"""How each library is tried, and what is lost without it: two tables.

TOOL is what the commands use, BOOK what the pages of the book need beside it.
"""

import functools
import importlib
import io
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from onthefly.folders import CHECKOUT
from onthefly.measure import libraries
from onthefly.measure.libraries import LIBRARIES


class Trial(NamedTuple):
    """How one library is tried.

    loss    what is lost without it
    use     function of its module: uses it, and tells whether that went well
    module  what is imported; by default as the table of libraries says
    needed  whether no command works without it
    """

    loss: str
    use: Callable
    module: str = ""
    needed: bool = False


def _distributed(distributed):
    with distributed.Client(
        n_workers=1, processes=False, dashboard_address=None
    ) as client:
        return client.submit(pow, 3, 2).result(timeout=30) == 9


def _papermill(papermill):
    from nbformat import v4, write

    with tempfile.TemporaryDirectory() as folder:
        cells = [v4.new_code_cell("print(6 * 7)")]
        write(v4.new_notebook(cells=cells), path := f"{folder}/in.ipynb")
        done = papermill.execute_notebook(path, None, kernel_name="python3")
    return done.cells[0].outputs[0].text.strip() == "42"


def _tf2onnx(tf2onnx):
    tf = LIBRARIES["tensorflow"].load()
    shape = [tf.TensorSpec([1], tf.float32)]
    square = tf.function(lambda x: x * x, input_signature=shape)
    return tf2onnx.convert.from_function(square, shape)[0].graph.node


def _compiler(machine):
    command = machine.compiler("C") or "cc"
    options = ["-x", "c", "-", "-o", "/dev/null"]
    source = b"int main(void) { return 7; }"
    return not subprocess.run([command, *options], input=source).returncode


def _on_device(library, module):
    """Let a library work on the first CUDA device."""
    if not library.for_cuda():
        raise ModuleNotFoundError("a build without CUDA")
    library.busy(module)
    library.wait(module)
    if not library.sees(module):  # then it has worked on the processor
        raise RuntimeError(f"{library.name} sees no GPU")
    return True


# By the key in the table of libraries, or by the distribution.
TOOL = {
    "numpy": Trial(
        "every command",
        lambda np: (np.ones((2, 3)) @ np.ones(3)).tolist() == [3, 3],
        needed=True,
    ),
    "scipy": Trial(
        "the intervals of ratios, and compare",
        lambda scipy: scipy.stats.norm.cdf(0) == 0.5,
        needed=True,
    ),
    "numba": Trial(
        "confirm, and the kernels of Numba",
        lambda numba: numba.njit(lambda n: n + 1)(1) == 2,
        needed=True,
    ),
    "llvmlite": Trial(
        "Numba",
        lambda llvm: "i32" in str(llvm.parse_assembly("@x = global i32 7")),
        "llvmlite.binding",
        needed=True,
    ),
    "matplotlib": Trial(
        "every figure",
        lambda mpl: not mpl.Figure().savefig(io.BytesIO(), format="svg"),
        "matplotlib.figure",
        needed=True,
    ),
    "pyperf": Trial(
        "the format of what is measured",
        lambda perf: perf.Run([2.0], collect_metadata=False).values == (2,),
        needed=True,
    ),
    "asv_runner": Trial(
        "every interval",
        lambda statistics: statistics.quantile_ci(range(20), 0.5)[0] == 9.5,
        "asv_runner.statistics",
        needed=True,
    ),
    "jinja2": Trial(
        "pages, by --html",
        lambda jinja2: jinja2.Template("{{ 7 }}").render() == "7",
        "jinja2",
        True,
    ),
    "psutil": Trial(
        "what other programs used",
        lambda psutil: psutil.virtual_memory().total,
        "psutil",
        True,
    ),
    "fastjsonschema": Trial(
        "the check of what is read",
        lambda schema: schema.compile({"type": "integer"})(7) == 7,
        "fastjsonschema",
        True,
    ),
    "cloudpickle": Trial(
        "functions of a notebook",
        lambda pickle: pickle.loads(pickle.dumps(lambda: 7))() == 7,
        "cloudpickle",
        True,
    ),
    "threadpoolctl": Trial(
        "threads of a library, counted",
        lambda control: isinstance(control.threadpool_info(), list),
        "threadpoolctl",
        True,
    ),
    "pyyaml": Trial(
        "files in YAML",
        lambda yaml: yaml.safe_load("7") == 7,
        "yaml",
        True,
    ),
    "shtab": Trial(
        "completion in a shell",
        lambda shtab: shtab.SUPPORTED_SHELLS,
        "shtab",
    ),
    "ipython": Trial(
        "%confirm in a notebook",
        lambda core: core.Magics,
        "IPython.core.magic",
    ),
    "uv": Trial(
        "sweep over versions of a library",
        lambda uv: Path(uv.find_uv_bin()).exists(),
        "uv",
    ),
    "asv": Trial(
        "sweep: where the time steps",
        lambda steps: len(steps.detect_steps([1.0, 1.0, 9.0, 9.0])) == 2,
        "asv.step_detect",
    ),
    "tensorflow": Trial(
        "the measurements of TensorFlow",
        lambda tf: tf.function(lambda x: x * x)(tf.constant(3)) == 9,
    ),
    "torch": Trial(
        "the measurements of PyTorch",
        lambda torch: torch.ones(3).sum() == 3,
    ),
    "jax": Trial(
        "the measurements of JAX",
        lambda jax: jax.jit(lambda n: n + 1)(1) == 2,
    ),
    "dask": Trial(
        "the measurements of Dask",
        lambda dask: dask.delayed(pow)(3, 2).compute(scheduler="sync") == 9,
    ),
}
BOOK = {
    "numexpr": Trial(
        "a rival on the page on the speed limit",
        lambda numexpr: numexpr.evaluate("3 * 3") == 9,
    ),
    "joblib": Trial(
        "processes by joblib",
        lambda joblib: joblib.Parallel()([joblib.delayed(pow)(3, 2)]) == [9],
    ),
    "pandas": Trial(
        "tables by pandas",
        lambda pandas: pandas.Series([3, 4]).sum() == 7,
    ),
    "polars": Trial(
        "tables by Polars",
        lambda polars: polars.Series([3, 4]).sum() == 7,
    ),
    "pybind11": Trial(
        "functions in C++ by pybind11",
        lambda pybind11: Path(pybind11.get_include(), "pybind11").is_dir(),
    ),
    "line-profiler": Trial(
        "the profiles of worked programs, by line",
        lambda profiler: profiler.LineProfiler(),
    ),
    "cython": Trial(
        "the loops that Cython compiles",
        lambda inline: inline.safe_type(2.0) == "double",
        "Cython.Build.Inline",
    ),
    "mypyc": Trial(
        "the loops that mypyc compiles",
        lambda build: build.get_extension(),
        "mypyc.build",
    ),
    "pythran": Trial(
        "the loops that Pythran compiles",
        lambda pythran: pythran.generate_cxx("m", "def f(n): return n"),
    ),
    "keras": Trial(
        "the page on Keras' prefix",
        lambda keras: keras.layers.Dense(2)(keras.ops.ones((1, 3))).shape[1],
    ),
    "litert": Trial(
        "a trained model on small devices",
        lambda lite: lite.Interpreter,  # its import loads its C++
        "ai_edge_litert.interpreter",
    ),
    "onnx": Trial(
        "a trained model as ONNX",
        lambda onnx: onnx.helper.make_node("Mul", ["x", "x"], ["y"]),
    ),
    "onnxruntime": Trial(
        "a runtime that reads ONNX",
        lambda runtime: runtime.get_available_providers(),
    ),
    "tf2onnx": Trial("TensorFlow's models as ONNX", _tf2onnx),
    "grpc": Trial(
        "the served models",
        lambda grpc: grpc.server(ThreadPoolExecutor(1)),
    ),
    "grpc-tools": Trial(
        "graphs as protobuf without TensorFlow",
        lambda protoc: protoc.main(["protoc", "--version"]) == 0,
        "grpc_tools.protoc",
    ),
    "distributed": Trial("Dask's scheduler", _distributed),
    "papermill": Trial("running any page", _papermill),
    "jupyter-book": Trial(
        "the built book",
        lambda jupyter_book: jupyter_book.__version__.startswith("1."),
        "jupyter_book",
    ),
    "sphinx-mathjax-offline": Trial(
        "formulas without a network",
        lambda mathjax: [*Path(mathjax.__file__).parent.rglob("tex-*.js")],
        "sphinx-mathjax-offline",
    ),
    "jupyterlab": Trial(
        "make lab",
        lambda app: app.LabApp.name == "lab",
        "jupyterlab.labapp",
    ),
    "cc": Trial(
        "the experiments in C", _compiler, "onthefly.measure.machine"
    ),
}
TRIALS = TOOL | BOOK if CHECKOUT else TOOL
# Those that compute on a CUDA device, by the names of their trials there.
ON_DEVICE = {
    f"{key}-cuda" if library.alone else key: library
    for key, library in LIBRARIES.items()
    if library.sees
}
GPU_TRIALS = {
    name: Trial(
        f"{library.name} on the GPU", functools.partial(_on_device, library)
    )
    for name, library in ON_DEVICE.items()
}


def version(name):
    """Return the version of what a trial uses, or "" where it is not here."""
    library = ON_DEVICE.get(name) or LIBRARIES.get(name)
    return libraries.version(*(library.packages if library else [name]))


def distributions(names):
    """Return what pip calls the libraries of some trials."""
    known = {name: LIBRARIES[name].packages[0] for name in LIBRARIES}
    return [known.get(name, name) for name in names]


def attempt(name):
    """Try a library here; return (OK, missing or FAIL; what to say of it)."""
    trial = TRIALS.get(name) or GPU_TRIALS[name]
    library = ON_DEVICE.get(name) or LIBRARIES.get(name)
    try:
        if trial.module:
            module = importlib.import_module(trial.module)
        else:
            module = library.load()
        return ("OK", "") if trial.use(module) else ("FAIL", "a wrong result")
    except (ModuleNotFoundError, FileNotFoundError) as error:
        return "missing", str(error)
    except Exception as error:
        return "FAIL", f"{type(error).__name__}: {error}".rstrip(": ")
