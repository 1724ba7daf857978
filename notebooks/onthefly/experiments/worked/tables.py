"""The table of a worked program's versions."""


def steps(times, peaks, names):
    """Return a row for each version: its time, gain and memory.

    times  Timings of the versions
    peaks  {version: bytes or None}, as `memory.peaks` returns them
    names  {version: what a reader calls it}; gains are over the first
    """
    first = next(iter(names))
    return [
        {
            "version": names[version],
            "time": times.seconds(version).short,
            "faster than the first": times.ratio(first, version).short,
            "memory": megabytes(peaks.get(version)),
        }
        for version in names
        if version in times.names
    ]


def megabytes(size):
    """Return bytes as a text; None for None."""
    return size and f"{size / 1e6:.0f} MB"
