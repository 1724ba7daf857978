"""Bytes sent by hour: each process reads a part of the file."""

import os

from onthefly.kernels.pools import processes, usable


def cuts(file, parts):
    """Return where each part begins, and where the last one ends.

    Each begins at a line.
    """
    size = os.path.getsize(file)
    places = [0]
    with open(file, "rb") as log:
        for part in range(1, parts):
            log.seek(max(places[-1], size * part // parts))
            log.readline()
            places.append(log.tell())
    return [*places, size]


def count(file, begin, end):
    """Return the bytes sent by hour, of the lines from a place to another."""
    sent = [0] * 24
    with open(file, "rb") as log:
        log.seek(begin)
        lines = log.read(end - begin).splitlines()
    for line in lines:
        fields = line.split(b" ")
        if fields[8] == b"200":
            sent[int(fields[3][13:15])] += int(fields[9])
    return sent


def weblog_pool(file, workers=None):
    """Return the bytes sent in each of the 24 hours of the day."""
    workers = usable(workers)
    places = cuts(file, workers)
    parts = processes(workers).map(
        count, [file] * workers, places[:-1], places[1:]
    )
    return [sum(hour) for hour in zip(*parts, strict=True)]
