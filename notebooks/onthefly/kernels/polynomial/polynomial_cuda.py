"""A cubic at each number of an array, by a thread of the device for each."""

from numba import cuda  # the simulator looks for this name

from onthefly.kernels.launches import each


@cuda.jit
def values(x, y):
    """Each thread writes the value at one number."""
    k = cuda.grid(1)
    if k < x.size:
        v = x[k]
        y[k] = ((2.0 * v + 3.0) * v - 5.0) * v + 7.0


def polynomial_cuda(x):
    """Return the array of the cubic's values, float64 of shape (n,).

    x  array on the device, float64 of shape (n,)
    """
    y = cuda.device_array_like(x)
    each(values, x.size, x, y)
    return y
