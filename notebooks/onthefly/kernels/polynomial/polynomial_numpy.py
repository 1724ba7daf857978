"""A cubic at each number of an array, by operations on whole arrays."""


def polynomial_numpy(x):
    """Return the array of the cubic's values, float64 of shape (n,)."""
    return ((2.0 * x + 3.0) * x - 5.0) * x + 7.0
