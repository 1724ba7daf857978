"""Counts of whole numbers, by the interpreter's loop."""


def histogram_python(values, bins):
    """Return the list of counts, one for each bin.

    values  list of whole numbers from 0 to below `bins`
    """
    counts = [0] * bins
    for value in values:
        counts[value] += 1
    return counts
