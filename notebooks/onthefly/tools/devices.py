"""Which library is here, and which of them sees a CUDA device.

Loads no library by itself: :func:`library` does when it is asked.
"""

import importlib
import os
import shutil

from onthefly import machine

NAMES = {"tensorflow": "TensorFlow", "torch": "PyTorch", "cupy": "CuPy"}
HOMES = {  # modules that set what the library reads at its import
    "tensorflow": ("onthefly.tools.quiet_tensorflow", "tf"),
    "torch": ("onthefly.kernels.pi_torch_device", "torch"),
}


def cpp_compiler():
    """Return the C++ compiler that torch.compile takes, too, or None."""
    return shutil.which(os.environ.get("CXX", "g++"))


def no_compiler():
    """Say that there is no C++ compiler, or return ""."""
    return "" if cpp_compiler() else "not measured here: no C++ compiler"


def library(name):
    """Return TensorFlow, PyTorch or CuPy, or None where it is not here.

    name  "tensorflow", "torch" or "cupy"

    CuPy needs a CUDA device; the others do without.
    """
    needs = (name, "gpu") if name == "cupy" else (name,)
    if not all(map(machine.available, needs)):
        return None
    if name not in HOMES:
        return importlib.import_module(name)
    module, handle = HOMES[name]
    return getattr(importlib.import_module(module), handle)


def sees_cuda(name):
    """Tell whether a library of :func:`library` computes on a CUDA device.

    A GPU in the machine is not enough: a library's build may be for the
    processor only.
    """
    module = library(name) if machine.has_cuda() else None
    if module is None:
        return False
    if name == "tensorflow":
        return bool(module.config.list_physical_devices("GPU"))
    return module.cuda.is_available()


def survey():
    """Return {library: what it is here}, asked of the library itself.

    Each is a dict: here, built for CUDA, computes on the processor,
    computes on a GPU; True or False.
    """
    tf, torch = library("tensorflow"), library("torch")
    built = {
        "tensorflow": bool(tf and tf.test.is_built_with_cuda()),
        "torch": bool(torch and torch.backends.cuda.is_built()),
        "cupy": machine.available("cupy"),  # there is no other build
    }
    return {
        name: {
            "here": machine.available(name),
            "built for CUDA": built[name],
            "computes on the processor": name != "cupy"
            and bool(library(name)),
            "computes on a GPU": sees_cuda(name),
        }
        for name in NAMES
    }
