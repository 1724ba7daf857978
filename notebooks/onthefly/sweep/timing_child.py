"""Times functions in a process of its own, under any Python from 3.6.

Imports nothing but the standard library: NumPy and all others only where a
function's own data ask for them.
"""

import functools
import importlib
import importlib.util
import os
import pickle
import random
import statistics
import sys
import timeit

SAMPLE = 0.01  # seconds that a sample lasts, about
SAMPLES = 8


def result(module, function, arguments, form):
    """Call a kernel once; return its result in plain lists and numbers.

    module     full name of its module
    function   its name there
    arguments  [(dtype, nested list) of an array, or (None, what it is)]
    form       of the data: a key of forms.FORMS
    """
    value = _call(module, function, arguments, form)()
    if form not in ("lists", "arrays"):
        from onthefly.kernels import forms

        value = forms.unloaded(value, form)
    return _plain(value)


def seconds(module, function, arguments, form):
    """Return the seconds of a kernel's call, the median of some samples.

    Arguments are as of `result`.
    """
    return _median(_call(module, function, arguments, form))


def own_seconds(folders, place, maker, size):
    """Return the seconds of a call of a function in a file, a median.

    folders  where it imports from first
    place    (path, name) of the function
    maker    (path, name) of the function of the size that makes its
             arguments, a tuple of them or the one; None: it takes the size

    Raises ValueError where it changes its arguments: a second call would do
    other work.
    """
    sys.path[:0] = [one for one in folders if one not in sys.path]
    function, given = _loaded_from(*place), (size,)
    random.seed(0)
    if maker:
        make = _loaded_from(*maker)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(0)
        made = make(size)
        given = made if isinstance(made, tuple) else (made,)
    before = _bytes(given)
    function(*given)
    if _bytes(given) != before:
        raise ValueError("it changes its arguments; make it work on a copy")
    return _median(functools.partial(function, *given))


def _bytes(arguments):
    """Return arguments as bytes, or b"" where they cannot be written so."""
    try:
        return pickle.dumps(arguments)
    except Exception:
        return b""


def _loaded_from(path, name):
    return getattr(_module(path), name)


@functools.lru_cache(None)
def _module(path):
    """Return the module in a file, imported once."""
    stem = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[stem] = module
    spec.loader.exec_module(module)
    return module


def _median(call):
    timer = timeit.Timer(call)
    timer.timeit(1)  # fills its caches
    calls = 1 + int(SAMPLE / max(timer.timeit(1), 1e-9))
    return statistics.median(timer.repeat(SAMPLES, calls)) / calls


def _call(module, function, arguments, form):
    kernel = getattr(importlib.import_module(module), function)
    given = [_loaded(dtype, value, form) for dtype, value in arguments]
    return functools.partial(kernel, *given)


def _loaded(dtype, value, form):
    if dtype is None or form == "lists":
        return value
    import numpy as np

    array = np.array(value, dtype)
    if form == "arrays":
        return array
    from onthefly.kernels import forms

    return forms.loaded((array,), form)[0]


def _plain(value):
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, dict):
        return dict(value)
    return value.tolist() if hasattr(value, "tolist") else value
