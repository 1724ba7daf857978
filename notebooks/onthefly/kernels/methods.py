"""What a problem is, and the methods that may compute it.

A method of a problem is a function ``<problem>_<suffix>`` in a file of that
name in the problem's folder; what is compiled ahead has one file for all
problems.  It takes what the problem's ``data(n, seed)`` returns, in its form,
and returns when the result is there.
"""

import functools
import importlib
from dataclasses import dataclass, field

import numpy as np

from onthefly.kernels import pools
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
            ahead = importlib.import_module("onthefly.kernels.ahead")
            return getattr(ahead.module(KINDS[variant].suffix), name)
        module, name = self.places.get(variant, (name, name))
        home = f"onthefly.kernels.{self.name}"
        file = importlib.import_module(f"{home}.{module}")
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
