"""A cubic at each number of a tensor, by PyTorch's operations."""


def polynomial_torch(x):
    """Return the tensor of the cubic's values, float64 of shape (n,)."""
    return ((2.0 * x + 3.0) * x - 5.0) * x + 7.0
