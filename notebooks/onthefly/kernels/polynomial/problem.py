"""The problem: a cubic on an array."""

from onthefly.kernels.methods import Problem

PROBLEM = Problem(
    "polynomial",
    "a cubic on an array",
    "elements",
    without={
        "routine": "np.polyval does as NumPy's way does, one "
        "operation on the whole array after the other.",
    },
)
