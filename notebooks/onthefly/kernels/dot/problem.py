"""The problem: a sum of products."""

from onthefly.kernels.methods import Problem

PROBLEM = Problem(
    "dot",
    "a sum of products",
    "elements",
    routine="np.dot",
    own=("routine",),  # the threads of BLAS
)
