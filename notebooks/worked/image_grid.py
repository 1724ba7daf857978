"""What *Smoothing a picture* concludes."""

import re

import numpy as np
from matplotlib.figure import Figure

from onthefly.experiments.worked import tables
from onthefly.figures import INK, Chart
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, table
from onthefly.page.showing import program
from onthefly.programs import heat
from onthefly.programs.heat.heat_numpy import heat_numpy

STEPS = {
    "lists": "loops over lists",
    "NumPy": "NumPy slices",
    "buffers": "NumPy, no new arrays",
    "SciPy": "convolve of SciPy",
    "Numba": "loops, by Numba",
    "prange": "the same, all cores",
    "float32": "by Numba, in float32",
    "Cython": "loops, by Cython",
    "JAX": "slices, by JAX",
}
LARGE = ("NumPy", "buffers", "Numba", "prange", "float32")
FACE = slice(40, 240), slice(150, 350)  # of the picture


def numpy(times):
    return times.ratio("lists", "NumPy")


def numba(times):
    return times.ratio("lists", "Numba")


def limit(large):
    """Return how many times as long as a copy a compiled sweep takes."""
    return large.ratio("Numba", "copy")


@expect
def near_the_limit(large, limit):
    """A compiled sweep comes near a copy; NumPy's sweep stays far away."""
    return limit < 3, large.ratio("NumPy", "Numba") > 2


def buffers(large):
    return large.ratio("NumPy", "buffers")


def scipy(times):
    return times.ratio("SciPy", "NumPy")


def compiled(times):
    return times.ratio("NumPy", "Numba")


def compiled_large(large):
    return large.ratio("buffers", "Numba")


def compiling(times):
    return times.first("Numba")


def stencil(times):
    return times.ratio("stencil", "Numba")


def other_compilers():
    files = "heat_stencil.py", "loops.pyx", "heat_cython.py", "heat_jax.py"
    return program(*(f"programs/heat/{name}" for name in files))


def cython(times):
    return times.ratio("lists", "Cython")


def jax(times):
    return times.ratio("JAX", "Numba")


def prange(large):
    return large.ratio("prange", "Numba")


def float32(large):
    return large.ratio("Numba", "float32")


def rounding(sweeps):
    """Return the largest difference of float32 from float64, in greys."""
    from onthefly.programs.heat.heat_float32 import heat_float32

    grid = heat.picture()
    apart = heat_float32(grid, sweeps) - heat_numpy(grid, sweeps)
    return float(abs(apart).max())


def grid_bytes(grid_rows):
    return f"{grid_rows * heat.COLUMNS * 8 / 1e6:.2g} MB"


def large_bytes(tiles):
    return f"{heat.ROWS * heat.COLUMNS * tiles**2 * 8 / 1e6:.0f} MB"


@figure(alt="A portrait before and after: the edges are blurred.")
def pictures(sweeps):
    """The picture before and after the sweeps: heat has spread over it."""
    grids = heat.picture(), heat_numpy(heat.picture(), sweeps)
    chart = Figure(figsize=(5, 2.7), layout="constrained")
    rows = []
    for axes, grid, name in zip(
        chart.subplots(1, 2), grids, ("before", "after"), strict=True
    ):
        axes.imshow(
            grid[FACE], cmap="gray", vmin=0, vmax=255, interpolation="none"
        )
        axes.set_title(name, color=INK)
        axes.set_axis_off()
        step = abs(np.diff(grid[FACE], axis=0)).max()
        rows.append([name, f"{step:.0f}"])
    head = ["picture", "largest step from a cell to the one below, in greys"]
    return Chart(chart, head, rows)


@expect
def one_function(functions):
    """The first row of cProfile's table is the function of the loops."""
    rows = functions["output"].splitlines()
    head = next(k for k, row in enumerate(rows) if "tottime" in row)
    return rows[head + 1].endswith("(sweep)")


def inside(stacks):
    """Return in which share of the samples the hot function ran."""
    return Quantity.share(stacks["inside"], stacks["samples"])


@expect
def views():
    """Slices of rows are views where the rows are arrays, and change."""
    grid = heat.picture(9, 9)
    before = grid.copy()
    new = [row[:] for row in grid]
    new[4][4] = -1
    return bool((grid != before).any())


@expect
def agreed(said):
    """A loop compiled by Numba, on an array, is fastest."""
    output = " ".join(said["output"].split())
    faster = r"numba\.njit(\([^)]*\))? on arrays is [\d.,]+× faster"
    return bool(re.search(faster, output)), "np.array(grid)" in output


@figure(x="time of all sweeps", log=True)
def steps_figure(times):
    """Each version of the program, on the same picture."""
    return {STEPS[name]: times.seconds(name) for name in STEPS}


@table
def steps(times, peaks):
    """The versions on the small picture. Only the loops on all cores share
    their work among cores.
    """
    return tables.steps(times, peaks, STEPS)


@table
def sweep_or_copy(large, large_sweeps):
    """One sweep over the large picture, and copying it once."""
    return [
        {
            "version": STEPS.get(name, "a copy (np.copyto)"),
            "time": (large.seconds(name) / large_sweeps).short,
            "beside a copy": large.ratio(name, "copy").short,
        }
        for name in (*LARGE, "copy")
    ]


def apart(difference):
    return f"{difference:.1g}"
