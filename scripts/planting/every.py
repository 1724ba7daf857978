"""All faults: each module that plants some is named here."""

from planting import (
    absent,
    disk,
    endings,
    given,
    kernels,
    leftovers,
    said,
)
from planting.registry import FAULTS

__all__ = [
    "FAULTS", "absent", "disk", "endings", "given", "kernels", "leftovers",
    "said",
]  # fmt: skip
