"""The eight problems, and the variants of each.

A variant is one way of computing it: a function ``<problem>_<variant>`` in a
file of kernels/ of that name; what is compiled ahead has one file for all
eight.  It takes what the problem's ``data(n, seed)`` returns, in its form,
and returns when the result is there.
"""

import functools
import importlib
from dataclasses import dataclass, field

import numpy as np

from onthefly.kernels import ahead, pools, z_score
from onthefly.kernels.forms import loaded, unloaded

ONE = ", one worker"  # ends the name of a variant that was given one


@dataclass(frozen=True)
class Kind:
    """What the variants of a name have in common, whatever the problem.

    suffix   of its files in kernels/
    form     of its data (see forms.FORMS)
    workers  whether it takes ``workers=``, threads or processes
    pool     the function of kernels.pools that it takes as ``pool=``, or ""
    starts   what starts with its first use, see starts_child.USES; "" where
             nothing does
    own      whether it uses all cores by itself, however many are asked for
    library  its key in the table of libraries, where it is on a device
    ahead    whether a compiler makes it before it runs, see kernels.ahead
    """

    suffix: str
    form: str
    starts: str = ""
    workers: bool = False
    pool: str = ""
    own: bool = False
    library: str = ""
    ahead: bool = False


KINDS = {
    "Python": Kind("python", "lists"),
    "NumPy": Kind("numpy", "arrays", "numpy"),
    "routine": Kind("routine", "arrays", "numpy"),
    "C": Kind("c", "arrays", "numpy"),
    "Cython": Kind("cython", "arrays", "numpy", ahead=True),
    "Pythran": Kind("pythran", "arrays", "numpy", ahead=True),
    "mypyc": Kind("mypyc", "lists", ahead=True),
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
    "Numba CUDA": Kind(
        "cuda", "Numba CUDA", "numba.cuda", library="numba-cuda"
    ),
    "CuPy": Kind("numpy", "CuPy", "cupy", library="cupy"),
    "PyTorch, GPU": Kind(
        "torch", "PyTorch, GPU", "torch.cuda", library="torch"
    ),
    "JAX, GPU": Kind("jax", "JAX, GPU", "jax.cuda", library="jax"),
}

DEVICE = tuple(name for name, kind in KINDS.items() if kind.library)


def _equal(result, expected):
    if isinstance(expected, dict):
        return result == expected
    return np.allclose(result, expected, rtol=1e-9, atol=1e-12)


SHOTS = 10_000  # of the estimate of π that is judged


def _near_pi(estimate, _):
    return z_score(estimate, SHOTS) < 5


@dataclass(frozen=True)
class Problem:
    """One of the eight.

    name     of its files in kernels/
    title    in a few words
    unit     what its size counts
    without  {name of a variant: a sentence that says why it has none}
    routine  what the library routine is called, for the variant "routine"
    same     function (result, expected): are two results the same?
    judged   the size at which that is asked
    places   {variant: (module, function)} in kernels/, where they have
             another name
    options  {variant: more arguments of its function}
    starts   {variant: what starts with it}, where not its Kind's
    own      variants that use all cores by themselves, beside those of KINDS
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
    def variants(self):
        """Names of its variants, all of KINDS but those it is without."""
        return tuple(name for name in KINDS if name not in self.without)

    def data(self, n, seed=0):
        """Return the arguments of size n, as NumPy's arrays."""
        module = importlib.import_module(f"onthefly.kernels.{self.name}")
        return module.data(n, seed)

    def start(self, variant):
        """Return the name of what starts with a variant, "" for nothing."""
        return self.starts.get(variant, KINDS[variant].starts)

    def takes_all(self, variant):
        """Tell whether it uses all cores, however many are asked for."""
        return KINDS[variant].own or variant in self.own

    def function(self, variant):
        """Return the function of a variant; imports what it needs."""
        name = f"{self.name}_{KINDS[variant].suffix}"
        if KINDS[variant].ahead:
            return getattr(ahead.module(KINDS[variant].suffix), name)
        module, name = self.places.get(variant, (name, name))
        file = importlib.import_module(f"onthefly.kernels.{module}")
        more = dict(self.options.get(variant, {}))
        if KINDS[variant].pool:
            more["pool"] = getattr(pools, KINDS[variant].pool)
        function = getattr(file, name)
        return functools.partial(function, **more) if more else function

    def result(self, variant, n, seed=0):
        """Return a variant's result of size n, as arrays."""
        form = KINDS[variant].form
        result = self.function(variant)(*loaded(self.data(n, seed), form))
        return unloaded(result, form)


# What cannot be shared, and why a device or a library has no such variant.
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
