"""A sum of products, by the interpreter's loop."""


def dot_python(x, y):
    """Return the sum of the products of two lists of n numbers."""
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += a * b
    return total
