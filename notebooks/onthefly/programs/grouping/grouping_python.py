"""Sums by key in a dict."""

from collections import defaultdict


def grouping_python(keys, values):
    """Return {key: sum of its values}."""
    sums = defaultdict(int)
    for key, value in zip(keys, values, strict=True):
        sums[key] += value
    return dict(sums)
