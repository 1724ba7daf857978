"""Counts of a text's words, by sorting an array of them."""

import numpy as np


def words_numpy(text):
    """Return {word: count} of a text."""
    words, counts = np.unique(np.array(text.split()), return_counts=True)
    return dict(zip(words.tolist(), counts.tolist(), strict=True))
