"""Hand a reversed NumPy array to PyTorch by DLPack.

Prints what became of it, as JSON.  In a process of its own, because some
releases of PyTorch end it: github.com/pytorch/pytorch/issues/188023.
"""

import json

from onthefly.tools import processes


def ending():
    """Run this file; return what it printed, or the signal that ended it.

    Raises RuntimeError where it fails in another way.
    """
    try:
        return processes.answer(__name__)
    except processes.Ended as end:
        if end.status < 0:
            return f"the process ended by signal {-end.status}"
        raise


def main():
    """Print "shared", or "refused: " and the exception."""
    import numpy as np
    import torch

    from onthefly.experiments.memory import sharing

    told = sharing.shared(torch.from_dlpack, np.arange(12.0)[::-1])
    print(json.dumps(told))


if __name__ == "__main__":
    main()
