"""PyTorch with few processes and few words.

Who sets what PyTorch reads once takes it from here::

    from onthefly.tools.quiet_torch import torch
"""

import os

# Read once, when the compiler is first used: no pool of processes for it.
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
# Read at import: the profiler does not announce each start and stop.
os.environ.setdefault("KINETO_LOG_LEVEL", "6")

import torch

__all__ = ["torch"]
