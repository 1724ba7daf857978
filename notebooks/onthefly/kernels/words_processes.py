"""Counts of a text's words, a part of the text in each process."""

from onthefly.kernels.pools import processes, usable
from onthefly.kernels.words import merged, shares
from onthefly.kernels.words_python import words_python


def words_processes(text, workers=None):
    """Return {word: count} of a text, as a Counter."""
    workers = usable(workers)
    return merged(processes(workers).map(words_python, shares(text, workers)))
