"""The libraries that this book measures, draws and keeps with: one table.

What is true of a library stands here once: where it comes from, how it is
asked whether it sees a CUDA device, and how its device is waited for.  Loads
none of them.
"""

import contextlib
import functools
import importlib
import importlib.machinery
import importlib.metadata
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

# The variable that names the modules of libraries which are here and do not
# work.  To a process that is started with it, they are missing.
HIDDEN = "ONTHEFLY_HIDDEN"


@dataclass(frozen=True)
class Library:
    """One library of the table.

    name      as it is written in a sentence
    module    what is imported
    packages  distributions that may hold it, or a part of it; the first that
              is here tells its version
    cuda      those of them that may be built for CUDA
    alone     True where it works without a CUDA device
    sees      function of the loaded module: does it see a CUDA device?
    uses      function of the loaded module: does this process leave the
              device visible to it?  By default what `sees` says
    wait      function of the loaded module: returns when its device is idle
    busy      function of the loaded module: gives its device some
              milliseconds of work, and does not wait for it
    home      module of the lab that sets what it reads at its import
    needed    True where no page can be made without it

    All four are None for a library that computes on the processor alone.
    """

    name: str
    module: str
    packages: tuple[str, ...]
    cuda: tuple[str, ...] = ()
    alone: bool = True
    sees: Callable[[ModuleType], bool] | None = None
    uses: Callable[[ModuleType], bool] | None = None
    wait: Callable[[ModuleType], None] | None = None
    busy: Callable[[ModuleType], None] | None = None
    home: str = ""
    needed: bool = False

    def here(self):
        """Tell whether it can be imported, without importing it."""
        own = f"{self.module}."
        if any(own.startswith(f"{name}.") for name in hidden()):
            return False
        # Not by importlib.util.find_spec, which imports what it lies in.
        path, name = None, ""
        for part in self.module.split("."):
            name += f".{part}" if name else part
            spec = importlib.machinery.PathFinder.find_spec(name, path)
            if spec is None:
                return False
            path = spec.submodule_search_locations
        return True

    def for_cuda(self):
        """Tell whether the build that is here may be for CUDA.

        One that says of itself that it is for the processor is not.
        """
        build = version(*self.cuda)
        return bool(build) and not build.endswith("+cpu")

    def load(self):
        """Import it as the lab does; return its module.

        Raises ImportError where it is not here.
        """
        if self.home:
            importlib.import_module(self.home)
        return importlib.import_module(self.module)

    def loaded(self):
        """Return its module where this process has imported it, or None."""
        return sys.modules.get(self.module)


def hidden():
    """Return the modules of those that are here and do not work."""
    return os.environ.get(HIDDEN, "").split()


def hide(library):
    """Let a Library be missing, here and in processes started from now on."""
    modules = {*hidden(), library.module}
    os.environ[HIDDEN] = " ".join(sorted(modules))


# Python then says that there is no such module.
for name in hidden():
    sys.modules.setdefault(name, None)


class Missing(ImportError):
    """Something that is asked for is not here.

    what  a library, or another thing as a compiler: its name in a sentence
    """

    def __init__(self, what):
        super().__init__(f"{what} is missing")
        self.what = what


_SAID = "Missing: (.+) is missing"


def lacking(error):
    """Return the name of what an error was raised for want of, or "".

    A Missing, here or in another process, or an ImportError that names a
    library of the table is looked for in the error and in those that it came
    from.  Of the latter, neither a library that is here counts, as one of
    which a part is broken, nor one that no page can be made without.
    """
    while error is not None:
        if isinstance(error, Missing):
            return error.what
        # As another process says it: see tools.processes.Failed.
        said = re.fullmatch(_SAID, f"{getattr(error, 'text', '')}")
        if said:
            return said[1]
        if isinstance(error, ImportError) and (name := _absent(error.name)):
            return name
        hidden = error.__suppress_context__
        error = error.__cause__ or (None if hidden else error.__context__)
    return ""


@contextlib.contextmanager
def spared(lacks, name):
    """Go on behind the block where something is missing; note it.

    lacks  dict that is given {name: the name of what is missing} then
    """
    try:
        yield
    except Exception as error:
        what = lacking(error)
        if not what:
            raise
        lacks[name] = what


def _absent(module):
    """Return the name of a module's library, if one may be missing, or ""."""
    absent = [
        library
        for library in LIBRARIES.values()
        if f"{module}.".startswith(f"{library.module}.")
        and not library.needed
        and not library.here()
    ]
    nearest = max(absent, key=lambda library: len(library.module), default=0)
    return nearest.name if nearest else ""


def version(*packages):
    """Return the version of the first of some distributions here, or ""."""
    for name in packages:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(name)
    return ""


# What a library sees does not change while it is loaded.  TensorFlow's
# devices may be hidden in a process: what it uses is asked anew each time.


@functools.cache
def _torch_sees(torch):
    return torch.cuda.is_available()


def _torch_wait(torch):
    if torch.cuda.is_initialized():  # to wait would start the device
        torch.cuda.synchronize()


@functools.cache
def _cupy_sees(cupy):
    return cupy.cuda.is_available()


def _cupy_wait(cupy):
    cupy.cuda.Device().synchronize()


@functools.cache
def numba_clash(cuda):
    """Say in a line that numba-cuda does not work with this NumPy, or "".

    cuda  the module numba.cuda

    Its newest version may use what the newest NumPy has no more; it then
    loads, sees the device, and compiles nothing.
    """
    from numba import float64, void

    try:
        cuda.compile_ptx(lambda x: None, void(float64[::1]), cc=(9, 0))
    except Exception as error:
        if isinstance(error, AttributeError) and "'numpy'" in str(error):
            return (
                f"numba-cuda {version('numba-cuda')} does not work with "
                f"NumPy {version('numpy')}: {error}"
            )
    return ""  # also where something else is missing, as a compiler


@functools.cache
def _numba_sees(cuda):
    from numba import config

    # Numba's own target, without numba-cuda, is too old for this book.
    ours = cuda.implementation == "NVIDIA" and not config.ENABLE_CUDASIM
    return ours and cuda.is_available() and not numba_clash(cuda)


def _numba_wait(cuda):
    cuda.synchronize()


def _tensorflow_sees(tf):
    return bool(tf.config.list_physical_devices("GPU"))


def _tensorflow_uses(tf):
    return bool(tf.config.get_visible_devices("GPU"))


def _tensorflow_wait(tf):
    tf.test.experimental.sync_devices()


def _jax_gpu(jax):
    return jax.devices("cuda")[0]


@functools.cache
def _jax_sees(jax):
    try:
        return bool(_jax_gpu(jax))
    except RuntimeError:  # it has no CUDA, or CUDA fails
        return False


@functools.cache
def _jax_last(jax):
    number = jax.device_put(0, _jax_gpu(jax))
    return functools.partial(jax.jit(lambda x: x + 1), number)


def _jax_wait(jax):
    # No call waits for a device of JAX: a program does that is queued last.
    _jax_last(jax)().block_until_ready()


# The work of a device that is to get warm: NUMBERS changed so many TIMES.
NUMBERS, TIMES = 1 << 22, 500


def _torch_busy(torch):
    x = torch.ones(NUMBERS, device="cuda")
    for _ in range(TIMES):
        torch.sin_(x)


def _cupy_busy(cupy):
    x = cupy.ones(NUMBERS, cupy.float32)
    for _ in range(TIMES):
        cupy.sin(x, out=x)


def _tensorflow_busy(tf):
    with tf.device("/GPU:0"):
        x = tf.ones([NUMBERS])
        for _ in range(TIMES):
            x = tf.sin(x)


def _jax_busy(jax):
    with jax.default_device(_jax_gpu(jax)):
        x = jax.numpy.ones(NUMBERS, "float32")
        for _ in range(TIMES):
            x = jax.numpy.sin(x)


@functools.cache
def _numba_work(cuda):
    @cuda.jit
    def work(x):
        k = cuda.grid(1)
        if k < x.size:
            y = x[k]
            for _ in range(TIMES):
                y = y * y + 1
            x[k] = y

    return work, cuda.device_array(NUMBERS, "uint32")


def _numba_busy(cuda):
    work, numbers = _numba_work(cuda)
    for _ in range(TIMES // 50):  # each is as many changes again
        work[NUMBERS // 256, 256](numbers)


LIBRARIES = {
    "numpy": Library("NumPy", "numpy", ("numpy",), needed=True),
    "scipy": Library("SciPy", "scipy", ("scipy",), needed=True),
    "numba": Library("Numba", "numba", ("numba",)),
    "llvmlite": Library("llvmlite", "llvmlite", ("llvmlite",)),
    "numexpr": Library("NumExpr", "numexpr", ("numexpr",)),
    "joblib": Library("joblib", "joblib", ("joblib",)),
    "pandas": Library("pandas", "pandas", ("pandas",)),
    "polars": Library("Polars", "polars", ("polars",)),
    "cython": Library("Cython", "Cython", ("cython",)),
    "pybind11": Library("pybind11", "pybind11", ("pybind11",)),
    "line-profiler": Library(
        "line_profiler", "line_profiler", ("line_profiler",)
    ),
    "mypyc": Library("mypyc", "mypyc", ("mypy",)),
    "pythran": Library("Pythran", "pythran", ("pythran",)),
    "tensorflow": Library(
        "TensorFlow",
        "tensorflow",
        ("tensorflow-cpu", "tensorflow"),
        cuda=("tensorflow",),
        sees=_tensorflow_sees,
        uses=_tensorflow_uses,
        wait=_tensorflow_wait,
        busy=_tensorflow_busy,
        home="onthefly.tools.quiet_tensorflow",
    ),
    "keras": Library(
        "Keras",
        "keras",
        ("keras",),
        home="onthefly.tools.quiet_tensorflow",
    ),
    "torch": Library(
        "PyTorch",
        "torch",
        ("torch",),
        cuda=("torch",),
        sees=_torch_sees,
        wait=_torch_wait,
        busy=_torch_busy,
        home="onthefly.tools.quiet_torch",
    ),
    "jax": Library(
        "JAX",
        "jax",
        ("jax", "jax-cuda12-plugin", "jax-cuda13-plugin"),
        cuda=("jax-cuda12-plugin", "jax-cuda13-plugin"),
        sees=_jax_sees,
        wait=_jax_wait,
        busy=_jax_busy,
        home="onthefly.tools.quiet_jax",
    ),
    "cupy": Library(
        "CuPy",
        "cupy",
        ("cupy-cuda12x", "cupy-cuda13x", "cupy"),
        cuda=("cupy-cuda12x", "cupy-cuda13x", "cupy"),
        alone=False,
        sees=_cupy_sees,
        wait=_cupy_wait,
        busy=_cupy_busy,
    ),
    "numba-cuda": Library(
        "Numba for CUDA",
        "numba.cuda",
        ("numba-cuda",),
        cuda=("numba-cuda",),
        alone=False,
        sees=_numba_sees,
        wait=_numba_wait,
        busy=_numba_busy,
    ),
    "litert": Library("LiteRT", "ai_edge_litert", ("ai-edge-litert",)),
    "onnx": Library("ONNX", "onnx", ("onnx",)),
    "onnxruntime": Library("ONNX Runtime", "onnxruntime", ("onnxruntime",)),
    "tf2onnx": Library("tf2onnx", "tf2onnx", ("tf2onnx",)),
    "grpc": Library("gRPC", "grpc", ("grpcio",)),
    "grpc-tools": Library("gRPC's tools", "grpc_tools", ("grpcio-tools",)),
    "dask": Library("Dask", "dask", ("dask",)),
    "distributed": Library(
        "Dask.distributed", "distributed", ("distributed",)
    ),
    "matplotlib": Library(
        "Matplotlib", "matplotlib", ("matplotlib",), needed=True
    ),
    "papermill": Library(
        "papermill", "papermill", ("papermill",), needed=True
    ),
    "pyperf": Library("pyperf", "pyperf", ("pyperf",), needed=True),
}


def versions():
    """Return {distribution: version} of the libraries that are installed."""
    return {
        package: number
        for library in LIBRARIES.values()
        for package in library.packages
        if (number := version(package))
    }


def waits():
    """Return functions that wait for the devices of the loaded libraries.

    Work on a device is only queued when a call returns.  A library that is
    not loaded, or uses no device, adds none.
    """
    return [wait for _, wait in on_device()]


def on_device():
    """Return (busy, wait) of each loaded library that sees a device.

    Functions without arguments, otherwise as in a Library.
    """
    return [
        (
            functools.partial(library.busy, module),
            functools.partial(library.wait, module),
        )
        for library in LIBRARIES.values()
        if library.sees
        and (module := library.loaded())
        and (library.uses or library.sees)(module)
    ]
