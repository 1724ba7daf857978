"""π by PyTorch, statement by statement as the talk prints it: ones to compare
with, and the list of the hits.  Source: Okuda, PyCon JP 2018, slide 52."""

from onthefly.kernels import check_shots
from onthefly.tools.quiet_torch import torch


def stream(seed):
    """Seed the stream of every device; returns None."""
    torch.manual_seed(seed)


def pi_torch_printed(shots, rng=None, device="cpu"):
    """Return π estimated from `shots` points, in float64, on `device`.

    `rng` is ignored: see `stream`.  The talk sets float64 for the whole
    process, and here each line that creates is told.
    """
    shots = check_shots(shots)
    x = torch.rand(shots, dtype=torch.float64, device=device)
    y = torch.rand(shots, dtype=torch.float64, device=device)
    rs = torch.add(torch.mul(x, x), torch.mul(y, y))
    ones = torch.ones(shots, dtype=torch.float64, device=device)
    lss = torch.le(rs, ones)
    hit = torch.nonzero(lss).size()[0]
    return 4.0 * hit / shots
