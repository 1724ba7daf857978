"""Sums by key by pandas."""

import pandas as pd


def sums(keys, values):
    """Return a Series of the sums, by key, of two arrays."""
    return pd.Series(values).groupby(keys).sum()


def grouping_pandas(keys, values):
    """Return {key: sum of its values} of two lists."""
    return sums(pd.Series(keys), values).to_dict()
