"""One library in a process of its own, under a build without the GIL.

Does it load, does it switch the lock on again, is it right in two threads,
and do these gain?  Each small piece of work spends its time at the library's
border, so that a lock there would be felt.
"""

import importlib
import importlib.machinery
import importlib.util
import sys
import sysconfig
import time
import warnings
from threading import Thread

THREADS = 2
WAYS = IN_TURN, ONE, OWN = "in turn", "one object", "own objects"


def _numpy(np):
    numbers = np.arange(100.0)
    return lambda: float(numbers @ numbers)


def _scipy(scipy):
    import numpy as np

    expit = importlib.import_module("scipy.special").expit
    numbers = np.linspace(-1, 1, 100)
    return lambda: float(expit(numbers)[0])


def _pandas(pandas):
    numbers = pandas.Series(range(100))
    return lambda: int(numbers.sum())


def _pyarrow(pyarrow):
    compute = importlib.import_module("pyarrow.compute")
    numbers = pyarrow.array(range(100))
    return lambda: compute.sum(numbers).as_py()


def _numexpr(numexpr):
    import numpy as np

    numexpr.set_num_threads(1)
    numbers = np.arange(100.0)
    given = {"numbers": numbers}
    return lambda: float(numexpr.evaluate("2 * numbers", given)[1])


def _jax(jax):
    numbers = jax.numpy.arange(100.0)
    dot = jax.jit(lambda x: x @ x)
    dot(numbers)
    return lambda: float(dot(numbers))


def _numba(numba):
    @numba.njit
    def total(n):
        found = 0
        for k in range(n):
            found += k & 3
        return found

    total(1)
    return lambda: total(100)


def _matplotlib(matplotlib):
    path = importlib.import_module("matplotlib.path").Path.unit_circle()
    return lambda: bool(path.contains_point((0.1, 0.2)))


def _pillow(_):
    image = importlib.import_module("PIL.Image").new("L", (16, 16), 7)
    return lambda: image.resize((4, 4)).getpixel((0, 0))


def _lxml(_):
    etree = importlib.import_module("lxml.etree")
    return lambda: etree.fromstring("<a><b/></a>")[0].tag


def _msgpack(msgpack):
    given = {"numbers": list(range(20))}
    return lambda: msgpack.unpackb(msgpack.packb(given))["numbers"][-1]


def _yaml(yaml):
    loader = yaml.CSafeLoader
    return lambda: yaml.load("a: [1, 2]", Loader=loader)["a"][1]


WORK = {
    "numpy": _numpy,
    "scipy": _scipy,
    "pandas": _pandas,
    "pyarrow": _pyarrow,
    "numexpr": _numexpr,
    "jax": _jax,
    "numba": _numba,
    "matplotlib": _matplotlib,
    "PIL": _pillow,
    "lxml": _lxml,
    "msgpack": _msgpack,
    "yaml": _yaml,
}
_made = {}


def loads(module):
    """Import a module; return a dict: version, gil, warned."""
    return _loaded(
        module, lambda: importlib.import_module(module), WORK.get(module)
    )


def loads_file(name, path):
    """Load the book's C extension from a file; return as `loads`."""

    def load():
        loader = importlib.machinery.ExtensionFileLoader("pi_c", path)
        spec = importlib.util.spec_from_loader("pi_c", loader)
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
        return module

    return _loaded(name, load, lambda pi_c: lambda: pi_c.hits_held(500, 1))


def _loaded(name, load, work):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        module = load()
        if work:
            _made[name] = [work(module) for _ in range(THREADS)]
    return {
        "version": getattr(module, "__version__", "unknown"),
        "gil": sys._is_gil_enabled(),
        "warned": any("GIL" in str(one.message) for one in said),
    }


def include():
    """Return the folder of this Python's headers."""
    return sysconfig.get_paths()["include"]


def _repeat(work, steps, found=None):
    values = set()
    for _ in range(steps):
        values.add(work())
    if found is not None:
        found.append(values)
    return values


def right(name, steps):
    """Tell whether two threads find in each step what one finds alone."""
    shared, found = _made[name][0], []
    alone = _repeat(shared, 1)
    _together([(shared, steps, found)] * THREADS)
    return found == [alone] * THREADS


def seconds(name, steps, way):
    """Return the seconds of so many steps, as often as there are threads.

    way  IN_TURN, or by threads that use ONE object, or its OWN each
    """
    works = _made[name] if way == OWN else _made[name][:1] * THREADS
    start = time.perf_counter()
    if way == IN_TURN:
        for work in works:
            _repeat(work, steps)
    else:
        _together([(work, steps) for work in works])
    return time.perf_counter() - start


def _together(jobs):
    workers = [Thread(target=_repeat, args=job) for job in jobs]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
