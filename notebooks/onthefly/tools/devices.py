"""Which library is here, and which of them sees a CUDA device.

What a library sees decides, not what the driver shows: its build may be for
the processor only, or for another CUDA.  The cheap questions come first; a
library is loaded where it is to be used, or in another process.
"""

import functools

from onthefly.measure import machine
from onthefly.measure.libraries import LIBRARIES
from onthefly.tools import processes

NAMES = {key: LIBRARIES[key].name for key in ("tensorflow", "torch", "cupy")}
ASK = 60  # seconds that a library may take to load and to answer


def library(name):
    """Return a library's module, or None where it cannot work here.

    name  its key in the table of libraries

    One that needs a CUDA device is loaded only where it may see one.
    """
    entry = LIBRARIES[name]
    if not entry.here() or not (entry.alone or sees_cuda(name)):
        return None
    return entry.load()


def may_see(name):
    """Tell whether a library is worth asking: there is a device that CUDA
    may use, and a build for CUDA."""
    return machine.has_cuda() and LIBRARIES[name].for_cuda()


def sees_cuda(name):
    """Tell whether a library computes on a CUDA device; loads it.

    name  its key in the table of libraries

    It is loaded only where it may see one.
    """
    entry = LIBRARIES[name]
    if not may_see(name):
        return False
    try:
        return entry.sees(entry.load())
    except ImportError:  # a library of CUDA that it opens is not here
        return False


def would_see(name):
    """Return what `sees_cuda` does, and load nothing into this process.

    A library that is not loaded yet is asked in a process of its own.
    """
    if not may_see(name):
        return False
    module = LIBRARIES[name].loaded()
    return LIBRARIES[name].sees(module) if module else _asked(name)


@functools.cache
def _asked(name):
    try:
        return processes.answer(__name__, "sees_cuda", name, limit=ASK)
    except processes.ProcessError:  # it cannot be loaded, or crashes
        return False


def has_cuda():
    """Tell whether any library sees a CUDA device; loads none of them.

    Those that are loaded are asked first, then those that load fast.
    """
    names = [k for k, entry in LIBRARIES.items() if entry.sees]
    names.sort(key=lambda k: (not LIBRARIES[k].loaded(), LIBRARIES[k].alone))
    return any(map(would_see, names))


def survey():
    """Return {library: what it is here}, asked of the library itself.

    Each is a dict: here, built for CUDA, computes on the processor,
    computes on a GPU; True or False.
    """
    tf, torch = library("tensorflow"), library("torch")
    here = {name: LIBRARIES[name].here() for name in NAMES}
    built = {
        "tensorflow": bool(tf and tf.test.is_built_with_cuda()),
        "torch": bool(torch and torch.backends.cuda.is_built()),
        "cupy": here["cupy"],  # there is no other build
    }
    return {
        name: {
            "here": here[name],
            "built for CUDA": built[name],
            "computes on the processor": here[name] and LIBRARIES[name].alone,
            "computes on a GPU": sees_cuda(name),
        }
        for name in NAMES
    }
