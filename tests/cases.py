"""Cases that the tests of several folders share."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types

import pytest

from onthefly.timings import Series, Timings
from onthefly.tools import devices, nvidia

# What no kernel takes for a number of shots, and how it refuses.
bad_shots = pytest.mark.parametrize(
    ("shots", "error"),
    [(0, ValueError), (-3, ValueError), (2.5, TypeError), ("x", TypeError)],
)


def printed(code):
    """Return what a Python of its own prints for some code."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def exact(**seconds):
    """Return Timings without noise."""
    return Timings(Series(k, None, 1.0, (s,) * 8) for k, s in seconds.items())


def cupy_device(limits):
    """Return what CuPy would say of a device of such limits."""
    names = {
        "MultiProcessorCount": "multiprocessors",
        "MaxThreadsPerMultiProcessor": "threads",
        "MaxBlocksPerMultiprocessor": "blocks",
        "MaxRegistersPerMultiprocessor": "registers",
        "MaxSharedMemoryPerMultiprocessor": "shared",
        "ReservedSharedMemoryPerBlock": "reserved",
    }
    return types.SimpleNamespace(
        attributes={k: getattr(limits, v) for k, v in names.items()},
        pci_bus_id="0000:00:00.0",
        synchronize=lambda: None,
    )


def registers(code):
    """Return the registers of a kernel in CUDA C, as nvcc compiles it.

    For capability 9.0; skips the test without nvcc.
    """
    nvcc = nvidia.tool("nvcc")
    if not nvcc:
        pytest.skip("no nvcc")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "kernel.cu")
        source.write_text(code)
        flags = ["-arch=sm_90", "-cubin", "-Xptxas", "-v", "-o", os.devnull]
        done = subprocess.run(
            [nvcc, *flags, source], check=True, capture_output=True, text=True
        )
    return int(re.search(r"Used (\d+) registers", done.stderr)[1])


def torch_or_skip():
    """Return PyTorch, or skip the test."""
    pytest.importorskip("torch", exc_type=ImportError)
    return devices.library("torch")


def tensorflow_or_skip():
    """Return TensorFlow, or skip the test."""
    pytest.importorskip("tensorflow", exc_type=ImportError)
    return devices.library("tensorflow")
