"""Counts of a text's words, by the standard library."""

from collections import Counter


def words_routine(text):
    """Return {word: count} of a text, as a Counter."""
    return Counter(text.split())
