"""Counts of whole numbers, by PyTorch's routine for it."""

from onthefly.tools.quiet_torch import torch


def histogram_torch(values, bins):
    """Return the counts, int64 of shape (bins,).

    values  int64 of shape (n,), from 0 to below `bins`
    """
    return torch.bincount(values, minlength=bins)
