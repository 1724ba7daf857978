"""Counts of a text's words, a part of it in each thread or process."""

from onthefly.kernels.pools import threads, usable
from onthefly.kernels.words import merged, shares
from onthefly.kernels.words.words_python import words_python


def words_parts(text, pool=threads, workers=None):
    """Return {word: count} of a text, as a Counter.

    pool  function of the workers: pools.threads or pools.processes
    """
    workers = usable(workers)
    return merged(pool(workers).map(words_python, shares(text, workers)))
