"""Copies between the host and a CUDA device by CuPy.

Import it only where CuPy and a device are present.

Source: Okuda, PyCon JP 2018, slides 32 and 34.
"""

import cupy
import cupyx
import numpy as np

MODULES = {
    "linalg": lambda m: m.linalg.det(m.eye(3) * 2),
    "math": lambda m: m.sqrt(m.arange(5.0)).sum(),
    "fft": lambda m: abs(m.fft.fft(m.arange(4.0))).sum(),
}


def scalar(size):
    """Draw a vector on the device; return its first number."""
    return float(cupy.random.rand(size)[0])


def array(size):
    """Draw a vector on the device, fetch it; return its first number."""
    return float(cupy.asnumpy(cupy.random.rand(size))[0])


def host(size):
    """Draw a vector by NumPy; return its first number."""
    return float(np.random.rand(size)[0])


def vector(size):
    """Return 0, 1, … size - 1 as a vector of 8-byte floats on the device."""
    return cupy.arange(size, dtype=np.float64)


def fetch(there, out=None):
    """Copy to the host, into a new array or `out`; wait; return it."""
    return cupy.asnumpy(there, out=out)


def pinned(size):
    """Return a host array of `size` 8-byte floats in pinned memory."""
    array = cupyx.empty_pinned(size, np.float64)
    array.fill(0)  # its pages are there from now on
    return array


def modules_that_agree():
    """Return the talk's modules in which CuPy gets NumPy's result."""
    return [
        name
        for name, call in MODULES.items()
        if np.allclose(cupy.asnumpy(call(cupy)), call(np))
    ]
