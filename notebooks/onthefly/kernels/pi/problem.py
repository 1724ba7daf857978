"""The problem: π from random numbers."""

from onthefly.kernels import z_score
from onthefly.kernels.methods import Problem

SHOTS = 10_000  # of the estimate of π that is judged


def _near_pi(estimate, _):
    return z_score(estimate, SHOTS) < 5


PROBLEM = Problem(
    "pi",
    "π from random numbers",
    "shots",
    without={
        "routine": "No library has a routine that counts random "
        "points in a circle.",
    },
    same=_near_pi,
    judged=SHOTS,
    places={
        "Numba, prange": ("pi_numba_parallel", "pi_numba_parallel"),
        "PyTorch": ("pi_torch_device", "pi_torch_device"),
        "TensorFlow": ("pi_tensorflow", "pi_tensorflow_graph"),
        "CuPy": ("pi_cupy", "pi_cupy_fused"),
        "PyTorch, GPU": ("pi_torch_device", "pi_torch_device"),
    },
    options={
        "PyTorch, GPU": {"device": "cuda"},
        "JAX, GPU": {"device": "cuda"},
    },
)
