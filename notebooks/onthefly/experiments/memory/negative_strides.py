"""Hand a reversed NumPy array to PyTorch by DLPack.

In a process of its own, because some releases of PyTorch end it:
github.com/pytorch/pytorch/issues/188023.
"""

from onthefly.tools import processes


def handed_over():
    """Return "shared", or "refused: " and the exception."""
    import numpy as np
    import torch

    from onthefly.experiments.memory import sharing

    return sharing.shared(torch.from_dlpack, np.arange(12.0)[::-1])


def ending():
    """Return what `handed_over` does, or the signal that ended it.

    Raises processes.ProcessError where it fails in another way.
    """
    try:
        return processes.answer(__name__, "handed_over")
    except processes.Ended as end:
        if end.status < 0:
            return f"the process ended by signal {-end.status}"
        raise
