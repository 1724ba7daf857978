"""What the libraries of 2018 were built for, and what they are built for now.

From book/history/builds.json, which scripts/builds.py writes.
"""

from onthefly import files
from onthefly.page import checkout

RECORDED = checkout.ROOT / "book" / "history" / "builds.json"

# As one installs them for CUDA: {library: what a package index is asked for}.
PACKAGES = {
    "TensorFlow": "tensorflow[and-cuda]",
    "PyTorch": "torch",
    "CuPy": "cupy-cuda12x[ctk]",
}
CUPY = "4.1.0"  # the talk's
MODULES = ("linalg", "math", "fft")  # of CuPy, as the talk prints them


def _read():
    return files.json_data(RECORDED)


def for_cuda():
    """Return {library: the packages of CUDA that its build asks for}."""
    return {name: one["CUDA"] for name, one in _read()["packages"].items()}


def modules():
    """Return those of MODULES that the source of CuPy's CUPY holds."""
    return _read()["CuPy"]["modules"]


def calls():
    """Return {function of CUDA: whether CuPy lets go of the GIL in it}.

    CuPy's CUPY; a function that it calls both ways is one where it does not.
    """
    return _read()["CuPy"]["calls"]
