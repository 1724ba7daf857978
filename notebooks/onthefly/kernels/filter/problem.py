"""The problem: a filter with a memory."""

from onthefly.kernels.methods import Problem

CHAIN = (
    "Each element waits for the one before: to share it, one needs another "
    "algorithm."
)

PROBLEM = Problem(
    "filter",
    "a filter with a memory",
    "elements",
    without={
        "NumPy": "No operation on whole arrays hands a value from "
        "element to element: the detour by np.cumsum divides by "
        "powers of a, which run out of float64's range.",
        "Numba, prange": CHAIN,
        "threads": CHAIN,
        "processes": CHAIN,
        "Dask": CHAIN,
        "Numba CUDA": CHAIN,
        "CuPy": CHAIN,
        "PyTorch, GPU": CHAIN,
        "PyTorch": "PyTorch has no stable operation that hands a "
        "value from element to element, and a loop over a tensor "
        "pays for three operations at each element.",
    },
    routine="scipy.signal.lfilter",
    starts={"routine": "scipy.signal"},
)
