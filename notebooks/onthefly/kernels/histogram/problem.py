"""The problem: counting into bins."""

from onthefly.kernels.methods import Problem

PROBLEM = Problem(
    "histogram",
    "counting into bins",
    "elements",
    routine="np.bincount",
    starts={"Dask": "dask.array"},
    # CuPy's np.add.at takes no int64.
    places={"CuPy": ("histogram_routine", "histogram_routine")},
)
