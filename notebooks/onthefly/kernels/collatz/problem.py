"""The problem: branches and uneven work."""

from onthefly.kernels.methods import Problem

PROBLEM = Problem(
    "collatz",
    "branches and uneven work",
    "elements",
    without={"routine": "No library has a routine for it."},
)
