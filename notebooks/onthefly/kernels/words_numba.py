"""Counts of a text's words, in a typed dict by a compiled loop."""

import numba
from numba.typed import Dict
from numba.types import int64, unicode_type


@numba.njit(nogil=True)
def _counts(text):
    counts = Dict.empty(unicode_type, int64)
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def words_numba(text):
    """Return {word: count} of a text."""
    return dict(_counts(text))
