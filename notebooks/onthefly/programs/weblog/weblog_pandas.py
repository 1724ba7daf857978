"""Bytes sent by hour: pandas reads the columns, filters and groups."""

import pandas as pd


def weblog_pandas(file):
    """Return the bytes sent in each of the 24 hours of the day."""
    log = pd.read_csv(
        file,
        sep=" ",
        header=None,
        usecols=[3, 6, 7],
        names=["time", "status", "size"],
        na_values="-",
    )
    good = log[log["status"] == 200]
    hour = good["time"].str.slice(13, 15).astype(int)
    sent = good.groupby(hour)["size"].sum()
    return sent.reindex(range(24), fill_value=0).astype(int).tolist()
