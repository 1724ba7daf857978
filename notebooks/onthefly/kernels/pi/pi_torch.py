"""π by PyTorch's operations on the processor.  Source: Okuda, PyCon JP 2018,
slides 28 and 30."""

from onthefly.kernels import check_shots
from onthefly.tools.quiet_torch import torch


def stream(seed):
    """Return a generator with this seed."""
    return torch.Generator().manual_seed(seed)


def pi_torch(shots, rng=None):
    """Return π estimated from `shots` points, all at once, in float32."""
    shots = check_shots(shots)
    x = torch.rand(shots, generator=rng)
    y = torch.rand(shots, generator=rng)
    hits = torch.count_nonzero(x * x + y * y <= 1.0)
    return 4.0 * int(hits) / shots
