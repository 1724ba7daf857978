"""Counts of a text's words, in a hash table of our own in C."""

import ctypes
import functools
import pathlib
from ctypes import POINTER, byref, c_char_p, c_int64

from onthefly.tools.cpp import function

SOURCE = pathlib.Path(__file__).with_name("words.c")
ROWS = POINTER(c_int64)  # start, length and count of each word


@functools.cache
def _functions():
    arguments = c_char_p, c_int64, POINTER(ROWS)
    words = function(SOURCE, "words", arguments, c_int64)
    free = ctypes.CDLL(None).free
    free.argtypes, free.restype = (ROWS,), None
    return words, free


def words_c(text):
    """Return {word: count} of a text, whose words blanks or line ends part.

    Raises MemoryError where there is no room for the table.
    """
    words, free = _functions()
    raw, table = text.encode(), ROWS()
    count = words(raw, len(raw), byref(table))
    try:
        if count < 0:
            raise MemoryError("words_c: no room for the table of words")
        numbers = iter(table[: 3 * count])
    finally:
        free(table)
    rows = zip(numbers, numbers, numbers, strict=True)
    return {raw[a : a + size].decode(): n for a, size, n in rows}
