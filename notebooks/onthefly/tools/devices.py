"""Which library of tensors is here, and which of them sees a CUDA device.

Loads no library by itself: :func:`library` does when it is asked.
"""

from onthefly import machine
from onthefly.libraries import LIBRARIES

NAMES = {key: LIBRARIES[key].name for key in ("tensorflow", "torch", "cupy")}


def library(name):
    """Return a library's module, or None where it cannot work here.

    name  its key in the table of libraries

    One that needs a CUDA device is loaded only where there is one.
    """
    entry = LIBRARIES[name]
    if not entry.here() or not (entry.alone or machine.has_cuda()):
        return None
    return entry.load()


def sees_cuda(name):
    """Tell whether a library computes on a CUDA device; loads it.

    name  its key in the table of libraries

    A GPU in the machine is not enough: a library's build may be for the
    processor only.
    """
    module = library(name) if machine.has_cuda() else None
    return module is not None and LIBRARIES[name].sees(module)


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
