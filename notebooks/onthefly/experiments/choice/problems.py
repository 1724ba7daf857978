"""The eight problems, and the ways of computing each.

A way is a function ``<problem>_<way>`` in a file of kernels/ of that name; it
takes what the problem's ``data(n, seed)`` returns, in the way's own form, and
returns when the result is there.
"""

import functools
import importlib
from dataclasses import dataclass, field

import numpy as np

from onthefly.experiments.choice.forms import loaded, unloaded
from onthefly.kernels import pools, sigmas


@dataclass(frozen=True)
class Kind:
    """What the ways of a name have in common, whatever the problem.

    suffix   of its files in kernels/
    form     of its data (see forms.FORMS)
    workers  whether it takes ``workers=``, threads or processes
    pool     the function of kernels.pools that it takes as ``pool=``, or ""
    starts   what starts with its first use, see starts_child.USES; "" where
             nothing does
    own      whether it uses all cores by itself, however many are asked for
    library  its key in the table of libraries, where it is on a device
    """

    suffix: str
    form: str
    starts: str = ""
    workers: bool = False
    pool: str = ""
    own: bool = False
    library: str = ""


KINDS = {
    "Python": Kind("python", "lists"),
    "NumPy": Kind("numpy", "arrays", "numpy"),
    "routine": Kind("routine", "arrays", "numpy"),
    "C": Kind("c", "arrays", "numpy"),
    "Numba": Kind("numba", "arrays", "numba"),
    "Numba, prange": Kind("prange", "arrays", "numba.prange", workers=True),
    "threads": Kind(
        "parts", "lists", "threads", workers=True, pool="threads"
    ),
    "processes": Kind(
        "parts", "lists", "processes", workers=True, pool="processes"
    ),
    "Dask": Kind("dask", "arrays", "dask", workers=True),
    "TensorFlow": Kind("tensorflow", "TensorFlow", "tensorflow", own=True),
    "PyTorch": Kind("torch", "PyTorch", "torch", own=True),
    "JAX": Kind("jax", "JAX", "jax", own=True),
    "Numba CUDA": Kind("cuda", "Numba CUDA", "numba", library="numba-cuda"),
    "CuPy": Kind("numpy", "CuPy", "cupy", library="cupy"),
    "PyTorch, GPU": Kind("torch", "PyTorch, GPU", "torch", library="torch"),
    "JAX, GPU": Kind("jax", "JAX, GPU", "jax", library="jax"),
}

DEVICE = tuple(name for name, kind in KINDS.items() if kind.library)


def _equal(found, expected):
    if isinstance(expected, dict):
        return found == expected
    return np.allclose(found, expected, rtol=1e-9, atol=1e-12)


SHOTS = 10_000  # of the estimate of π that is judged


def _near_pi(found, _):
    return sigmas(found, SHOTS) < 5


@dataclass(frozen=True)
class Problem:
    """One of the eight.

    name     of its files in kernels/
    title    in a few words
    unit     what its size counts
    without  {name of a way: a sentence that says why it has none}
    routine  what the library routine is called, for the way "routine"
    same     function (found, expected): are two results the same?
    judged   the size at which that is asked
    places   {way: (module, function)} in kernels/, where they have another
             name
    options  {way: more arguments of its function}
    starts   {way: what starts with it}, where that differs from its Kind's
    own      ways that use all cores by themselves, beside those of KINDS
    """

    name: str
    title: str
    unit: str
    without: dict[str, str] = field(default_factory=dict)
    routine: str = ""
    same: object = _equal
    judged: int = 1000
    places: dict[str, tuple[str, str]] = field(default_factory=dict)
    options: dict[str, dict] = field(default_factory=dict)
    starts: dict[str, str] = field(default_factory=dict)
    own: tuple[str, ...] = ()

    @property
    def ways(self):
        """Names of its ways, all of KINDS but those it is without."""
        return tuple(way for way in KINDS if way not in self.without)

    def data(self, n, seed=0):
        """Return the arguments of size n, as NumPy's arrays."""
        module = importlib.import_module(f"onthefly.kernels.{self.name}")
        return module.data(n, seed)

    def start(self, way):
        """Return the name of what starts with a way, "" for nothing."""
        return self.starts.get(way, KINDS[way].starts)

    def takes_all(self, way):
        """Tell whether a way uses all cores, however many are asked for."""
        return KINDS[way].own or way in self.own

    def function(self, way):
        """Return the function of a way; imports what it needs."""
        name = f"{self.name}_{KINDS[way].suffix}"
        module, name = self.places.get(way, (name, name))
        found = importlib.import_module(f"onthefly.kernels.{module}")
        more = dict(self.options.get(way, {}))
        if KINDS[way].pool:
            more["pool"] = getattr(pools, KINDS[way].pool)
        function = getattr(found, name)
        return functools.partial(function, **more) if more else function

    def result(self, way, n, seed=0):
        """Return a way's result of size n, as arrays."""
        form = KINDS[way].form
        found = self.function(way)(*loaded(self.data(n, seed), form))
        return unloaded(found, form)


# What cannot be shared, and why a device or a library has no such way.
CHAIN = (
    "Each element waits for the one before: to share it, one needs another "
    "algorithm."
)
TEXT = "It computes with numbers, and this problem has text."

PROBLEMS = {
    problem.name: problem
    for problem in (
        Problem(
            "pi",
            "π from random numbers",
            "shots",
            without={
                "routine": "No library has a routine that counts random "
                "points in a circle.",
            },
            same=_near_pi,
            judged=SHOTS,
            places={
                "Numba, prange": ("pi_numba_parallel", "pi_numba_parallel"),
                "PyTorch": ("pi_torch_device", "pi_torch_device"),
                "TensorFlow": ("pi_tensorflow", "pi_tensorflow_graph"),
                "CuPy": ("pi_cupy", "pi_cupy_fused"),
                "PyTorch, GPU": ("pi_torch_device", "pi_torch_device"),
            },
            options={
                "PyTorch, GPU": {"device": "cuda"},
                "JAX, GPU": {"device": "cuda"},
            },
        ),
        Problem(
            "polynomial",
            "a cubic on an array",
            "elements",
            without={
                "routine": "np.polyval does as NumPy's way does, one "
                "operation on the whole array after the other.",
            },
        ),
        Problem(
            "dot",
            "a sum of products",
            "elements",
            routine="np.dot",
            own=("routine",),  # the threads of BLAS
        ),
        Problem(
            "filter",
            "a filter with a memory",
            "elements",
            without={
                "NumPy": "No operation on whole arrays hands a value from "
                "element to element: the detour by np.cumsum divides by "
                "powers of a, which run out of float64's range.",
                "Numba, prange": CHAIN,
                "threads": CHAIN,
                "processes": CHAIN,
                "Dask": CHAIN,
                "Numba CUDA": CHAIN,
                "CuPy": CHAIN,
                "PyTorch, GPU": CHAIN,
                "PyTorch": "PyTorch has no stable operation that hands a "
                "value from element to element, and a loop over a tensor "
                "pays for three operations at each element.",
            },
            routine="scipy.signal.lfilter",
            starts={"routine": "scipy.signal"},
        ),
        Problem(
            "stencil",
            "a grid of neighbours",
            "cells",
            routine="scipy.ndimage.convolve",
            starts={"routine": "scipy.ndimage", "Dask": "dask.array"},
        ),
        Problem(
            "histogram",
            "counting into bins",
            "elements",
            routine="np.bincount",
            starts={"Dask": "dask.array"},
            # CuPy's np.add.at takes no int64.
            places={"CuPy": ("histogram_routine", "histogram_routine")},
        ),
        Problem(
            "collatz",
            "branches and uneven work",
            "elements",
            without={"routine": "No library has a routine for it."},
        ),
        Problem(
            "words",
            "counting words in a text",
            "words",
            without={
                "Numba, prange": "Threads that write to one dictionary of "
                "Numba's at once may break it.",
                "PyTorch": TEXT,
                "JAX": TEXT,
                **dict.fromkeys(DEVICE, TEXT),
            },
            routine="collections.Counter",
            starts={"routine": "", "C": "", "Dask": "dask.bag"},
        ),
    )
}  # fmt: skip
