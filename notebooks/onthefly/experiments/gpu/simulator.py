"""Run the CUDA kernels of this package where there is no device: in Numba's
simulator, which must be chosen before Numba is imported, hence in a child
process (`pi_cuda_sim_child`)."""

import base64
import io
import os
import sys
from pathlib import Path

import numpy as np

from onthefly.tools.processes import Child

HERE = Path(__file__).parent


def pack(array):
    """Return an array as text that JSON can hold."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return {"array": base64.b64encode(file.getvalue()).decode()}


def unpack(text):
    """Undo `pack`."""
    data = base64.b64decode(text["array"])
    return np.load(io.BytesIO(data), allow_pickle=False)


class Simulator(Child):
    """A process in which CUDA kernels run as Python threads."""

    def __init__(self):
        super().__init__(
            [sys.executable, HERE / "simulator_child.py"],
            {
                **os.environ,
                "PYTHONPATH": str(HERE.parents[2]),
                "NUMBA_ENABLE_CUDASIM": "1",
                # The simulator is Python; compiling its helpers takes longer
                # than running them.
                "NUMBA_DISABLE_JIT": "1",
            },
        )

    def launch(self, kernel, blocks, threads, *arguments):
        """Run a kernel of this package; NumPy arrays are changed.

        Raises RuntimeError with one line for a kernel that fails.
        """
        function = kernel.py_func
        asked = [pack(a) if isinstance(a, np.ndarray) else int(a)
                 for a in arguments]  # fmt: skip
        name = (function.__module__, function.__name__)
        answer = self.ask(*name, blocks, threads, asked)
        if "error" in answer:
            raise RuntimeError(f"{function.__name__}: {answer['error']}")
        arrays = [a for a in arguments if isinstance(a, np.ndarray)]
        for array, text in zip(arrays, answer["arrays"], strict=True):
            array[...] = unpack(text)
