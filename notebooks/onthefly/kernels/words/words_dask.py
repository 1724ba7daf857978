"""Counts of a text's words, as a bag of Dask: a part of the text in each
task."""

import dask.bag as db

from onthefly.kernels.pools import usable
from onthefly.kernels.words import shares


def words_dask(text, workers=None):
    """Return {word: count} of a text."""
    workers = usable(workers)
    lines = db.from_sequence(shares(text, workers), npartitions=workers)
    counts = lines.map(str.split).flatten().frequencies()
    return dict(counts.compute(scheduler="threads", num_workers=workers))
