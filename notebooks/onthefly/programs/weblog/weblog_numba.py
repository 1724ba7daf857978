"""Bytes sent by hour: one compiled loop over the bytes of the file."""

import numba
import numpy as np

BLANK, NEWLINE, ZERO, TWO = (ord(c) for c in " \n02")


@numba.njit(nogil=True)
def count(text):
    sent = np.zeros(24, np.int64)
    field = start = hour = 0
    good = False
    for k in range(len(text)):
        byte = text[k]
        if byte != BLANK and byte != NEWLINE:
            continue
        if field == 3:  # [29/Nov/2026:13:55:36
            hour = 10 * (text[start + 13] - ZERO) + text[start + 14] - ZERO
        elif field == 8:
            good = (
                text[start] == TWO
                and text[start + 1] == ZERO
                and text[start + 2] == ZERO
            )
        elif field == 9 and good:
            size = 0
            for place in range(start, k):
                size = 10 * size + text[place] - ZERO
            sent[hour] += size
        field = 0 if byte == NEWLINE else field + 1
        start = k + 1
    return sent


def weblog_numba(file):
    """Return the bytes sent in each of the 24 hours of the day."""
    return count(np.fromfile(file, np.uint8)).tolist()
