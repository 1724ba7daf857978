"""Sweeps over a grid, by a function that TensorFlow traces."""

from onthefly.kernels.stencil import SWEEPS
from onthefly.tools.quiet_tensorflow import tf


# One trace for every shape.  A tensor cannot be changed in place: each sweep
# puts its inner cells and the border together anew.
@tf.function(input_signature=[tf.TensorSpec([None, None], tf.float64)])
def stencil_tensorflow(grid):
    """Return the grid after the sweeps, float64 of the same shape."""
    for _ in range(SWEEPS):
        inner = 0.25 * (
            grid[:-2, 1:-1]
            + grid[2:, 1:-1]
            + grid[1:-1, :-2]
            + grid[1:-1, 2:]
        )
        rows = tf.concat([grid[1:-1, :1], inner, grid[1:-1, -1:]], axis=1)
        grid = tf.concat([grid[:1], rows, grid[-1:]], axis=0)
    return grid
