"""Counts of a text's words, a part of the text in each thread."""

from onthefly.kernels.pools import threads, usable
from onthefly.kernels.words import merged, shares
from onthefly.kernels.words_python import words_python


def words_threads(text, workers=None):
    """Return {word: count} of a text, as a Counter."""
    workers = usable(workers)
    return merged(threads(workers).map(words_python, shares(text, workers)))
