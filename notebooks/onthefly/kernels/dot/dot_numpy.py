"""A sum of products, by operations on whole arrays."""


def dot_numpy(x, y):
    """Return the sum of the products of two float64 arrays of shape (n,)."""
    return (x * y).sum()
