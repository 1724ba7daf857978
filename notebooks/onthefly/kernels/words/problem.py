"""The problem: counting words in a text."""

from onthefly.kernels.methods import DEVICE, Problem

TEXT = "It computes with numbers, and this problem has text."

PROBLEM = Problem(
    "words",
    "counting words in a text",
    "words",
    without={
        "Numba, prange": "Threads that write to one dictionary of "
        "Numba's at once may break it.",
        "PyTorch": TEXT,
        "JAX": TEXT,
        **dict.fromkeys(DEVICE, TEXT),
    },
    routine="collections.Counter",
    starts={"routine": "", "C": "", "Dask": "dask.bag"},
)
