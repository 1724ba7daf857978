"""The CUDA toolkit, where Numba's compiler for the GPU lies only there."""

import importlib.util
import os
import pathlib
import shutil

HOME = "CUDA_HOME"
USUAL = "/usr/local/cuda"
NVVM = "libnvvm.so*"  # compiles Numba's kernels


def only_home():
    """Return the folder of the toolkit, where NVVM lies only there, or None.

    A Python package or conda may bring NVVM; where neither does, Numba takes
    it from the toolkit that CUDA_HOME names.  None where that is set already,
    or no toolkit is found.
    """
    if os.environ.get(HOME) or any(_in_packages()):
        return None
    homes = (home for home in _toolkits() if _has_nvvm(home))
    return next(homes, None)


def _has_nvvm(home):
    return any(home.glob(f"nvvm/lib*/{NVVM}"))


def _in_packages():
    """Yield what is found in NVIDIA's packages and in conda's environment."""
    spec = importlib.util.find_spec("nvidia")
    for place in (spec and spec.submodule_search_locations) or ():
        yield from pathlib.Path(place).rglob(NVVM)
    if conda := os.environ.get("CONDA_PREFIX"):
        yield _has_nvvm(pathlib.Path(conda))


def _toolkits():
    """Yield the folders where a toolkit may lie."""
    yield pathlib.Path(USUAL)
    if nvcc := shutil.which("nvcc"):
        yield pathlib.Path(nvcc).resolve().parents[1]
