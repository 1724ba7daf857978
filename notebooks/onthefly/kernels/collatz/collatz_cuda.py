"""Steps of Collatz' rule from each number, each by a thread of the device.

The threads of a warp go together: each waits for the one with most steps.
"""

from numba import cuda  # the simulator looks for this name

from onthefly.kernels.launches import each


@cuda.jit
def steps(starts, counts):
    """Each thread counts the steps from one number to 1."""
    k = cuda.grid(1)
    if k < starts.size:
        value, count = starts[k], 0
        while value != 1:
            value = value // 2 if value % 2 == 0 else 3 * value + 1
            count += 1
        counts[k] = count


def collatz_cuda(starts):
    """Return the steps from each number to 1, int64 of shape (n,).

    starts  array on the device of whole numbers from 1 on, int64, (n,)
    """
    counts = cuda.device_array_like(starts)
    each(steps, starts.size, starts, counts)
    return counts
