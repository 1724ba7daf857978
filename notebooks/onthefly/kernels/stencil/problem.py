"""The problem: a grid of neighbours."""

from onthefly.kernels.methods import Problem

PROBLEM = Problem(
    "stencil",
    "a grid of neighbours",
    "cells",
    routine="scipy.ndimage.convolve",
    starts={"routine": "scipy.ndimage", "Dask": "dask.array"},
)
