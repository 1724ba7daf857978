"""CUDA kernels where there is no device: in Numba's simulator.

It must be chosen before Numba is imported, hence in a process of its own.
"""

import numpy as np

from onthefly.tools.processes import Program

SIMULATED = {
    "NUMBA_ENABLE_CUDASIM": "1",
    # The simulator is Python; compiling its helpers takes longer than
    # running them.
    "NUMBA_DISABLE_JIT": "1",
}


class Simulator(Program):
    """A process in which CUDA kernels run as Python threads."""

    def __init__(self):
        super().__init__(f"{__name__}_child", environment=SIMULATED)

    def launch(self, kernel, blocks, threads, *arguments):
        """Run a kernel of this package; NumPy arrays are changed.

        Raises processes.Failed for a kernel that fails.
        """
        function = kernel.py_func
        name = function.__module__, function.__name__
        changed = self.ask("launched", *name, blocks, threads, arguments)
        arrays = [a for a in arguments if isinstance(a, np.ndarray)]
        for array, values in zip(arrays, changed, strict=True):
            array[...] = values

    def result(self, function, *data):
        """Return what a way makes of device arrays, and its data after it.

        function  (module, name) of a way of kernels/ that takes them
        data      its arguments; NumPy arrays go to the device

        All is NumPy's arrays.  Raises processes.Failed for a way that fails.
        """
        return self.ask("result", *function, data)
