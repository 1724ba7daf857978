"""Sums by key by Polars."""

import polars as pl


def sums(keys, values):
    """Return a DataFrame of keys and sums, of two arrays."""
    table = pl.DataFrame({"key": keys, "value": values})
    return table.group_by("key").agg(pl.col("value").sum())


def grouping_polars(keys, values):
    """Return {key: sum of its values} of two lists."""
    return dict(sums(keys, values).iter_rows())
