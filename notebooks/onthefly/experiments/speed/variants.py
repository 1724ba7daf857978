"""Every way of computing π in this book, to be measured side by side."""

import functools
import importlib
import math

from onthefly.kernels import z_score
from onthefly.kernels.pools import processes
from onthefly.measure.clock import seconds
from onthefly.measure.libraries import spared

# {way: (module of kernels/, function)}
ONE_THREAD = {
    "Python": ("pi_python", "pi_python"),
    "NumPy": ("pi_numpy", "pi_numpy"),
    "NumPy, in pieces": ("pi_numpy", "pi_numpy_buffers"),
    "NumExpr": ("pi_numexpr", "pi_numexpr"),
    "C": ("pi_c", "pi_c"),
    "Numba": ("pi_numba", "pi_numba"),
    "Numba, hash": ("pi_limit", "pi_limit"),
    "TensorFlow": ("pi_tensorflow", "pi_tensorflow_graph"),
    "PyTorch": ("pi_torch", "pi_torch"),
    "JAX": ("pi_jax", "pi_jax"),
}
CORES = {
    "Numba, prange": ("pi_numba_parallel", "pi_numba_parallel"),
    "Numba, hash, prange": ("pi_limit", "pi_limit_prange"),
}
SHARED = {  # among so many workers as are asked for
    "Dask": ("pi_dask", "pi_dask"),
    "processes": ("pi_parts", "pi_parts"),
}
DEVICE = {  # {way: (key of the library, module, function)}
    "Numba CUDA": ("numba-cuda", "pi_cuda", "pi_cuda"),
    "CuPy": ("cupy", "pi_cupy", "pi_cupy_fused"),
    "PyTorch, GPU": ("torch", "pi_torch_device", "pi_torch_device"),
    "JAX, GPU": ("jax", "pi_jax", "pi_jax"),
}
# Made for this one problem, so that they say nothing of other loops.
TAILORED = ("Numba, hash", "Numba, hash, prange")
# {way: more arguments}; a piece is of so many shots as stay in the cache
OPTIONS = {
    "NumPy, in pieces": {"chunk": 10_000},
    "PyTorch, GPU": {"device": "cuda"},
    "JAX, GPU": {"device": "cuda"},
    "processes": {"pool": processes},
}


class Way:
    """A kernel that is imported by its first call, so that it may be missing.

    module, function  its place in kernels/
    options           more arguments of the function
    """

    def __init__(self, module, function, **options):
        self._place, self._options = (module, function), options

    def __call__(self, shots):
        return self._pi(shots)

    @functools.cached_property
    def _pi(self):
        module, name = self._place
        kernel = importlib.import_module(f"onthefly.kernels.pi.{module}")
        return functools.partial(getattr(kernel, name), **self._options)


def on_device(on_gpu):
    """Return the keys of the libraries of DEVICE that may use a GPU.

    on_gpu  function that tells it of one
    """
    return [library for library, *_ in DEVICE.values() if on_gpu(library)]


def every(cores, devices=()):
    """Return {way: function of the shots} of all that can run here.

    cores    how many threads and processes may work
    devices  keys of the libraries that may use a GPU

    Worker processes start at the first call and end with this one.
    """
    places = ONE_THREAD | CORES
    for name, (library, *place) in DEVICE.items():
        if library in devices:
            places[name] = place
    ways = {k: Way(*p, **OPTIONS.get(k, {})) for k, p in places.items()}
    shared = {
        k: Way(*p, workers=cores, **OPTIONS.get(k, {}))
        for k, p in SHARED.items()
    }
    return ways | shared


def scores(ways, shots):
    """Return {way: how many standard deviations its estimate is off π}.

    ways  {way: function of the shots}; those that lack a library are left out
    """
    found = {}
    for name, way in ways.items():
        with spared({}, name):
            found[name] = z_score(way(shots), shots)
    return found


def contenders(ways, sizes, behind=10.0):
    """Return {way: sizes}: all sizes of those that may win at the last.

    ways    {way: function of the shots}
    sizes   in rising order
    behind  a way whose every further shot costs so many times the least,
            TAILORED ways apart, is not measured above the fourth size

    One look at two sizes decides, the better of three readings each.  A way
    that needs a library that is missing keeps all sizes: the stopwatch leaves
    it out.
    """
    small, large = sizes[2:4]
    costs = {}
    for name, way in ways.items():
        with spared({}, name):
            way(small), way(large)  # compiles, loads, fills caches
            few, many = (
                min(seconds(way, n) for _ in range(3)) for n in (small, large)
            )
            costs[name] = max(many - few, 0.0) / (large - small)
    others = (c for k, c in costs.items() if c and k not in TAILORED)
    least = min(others, default=math.inf)
    return {
        name: sizes if costs.get(name, 0) <= behind * least else sizes[:4]
        for name in ways
    }
