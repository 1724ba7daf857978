"""A cubic at each number of a list, by the interpreter's loop."""


def polynomial_python(x):
    """Return the list of the cubic's values at the numbers of a list."""
    y = []
    for v in x:
        y.append(((2.0 * v + 3.0) * v - 5.0) * v + 7.0)
    return y
