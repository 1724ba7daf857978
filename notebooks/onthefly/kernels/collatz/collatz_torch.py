"""Steps to 1 from each number of a tensor, by PyTorch's operations on those
that are still under way."""

from onthefly.tools.quiet_torch import torch


def collatz_torch(starts):
    """Return the steps, int64 of shape (n,).

    starts  int64 of shape (n,), at least 1 each
    """
    steps = torch.zeros_like(starts)
    places = torch.nonzero(starts != 1).flatten()
    x = starts[places]
    while x.numel():
        x = torch.where(x % 2 == 0, x // 2, 3 * x + 1)
        steps[places] += 1
        under_way = x != 1
        x, places = x[under_way], places[under_way]
    return steps
