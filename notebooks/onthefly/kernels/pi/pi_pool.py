"""π in parts: by tasks in a ThreadPoolExecutor, or one after the other.
Source: Okuda, PyCon JP 2018, slides 36 to 40.

Worker processes import this module, so it imports little.
"""

from onthefly.kernels import check_shots, split


def mean(estimates, sizes):
    """Return the mean of estimates, each weighted by its shots."""
    pairs = zip(estimates, sizes, strict=True)
    return sum(e * n for e, n in pairs) / sum(sizes)


def pi_pool(pi, shots, pool, threads=3):
    """Return π by so many tasks in a ThreadPoolExecutor."""
    sizes = split(check_shots(shots), min(threads, shots))
    return mean(list(pool.map(pi, sizes)), sizes)


def pi_series(pi, shots, parts=3):
    """Return π by so many calls, one after the other."""
    sizes = split(check_shots(shots), min(parts, shots))
    return mean([pi(size) for size in sizes], sizes)


def per_stream(run, pi, streams, shots):
    """Return an estimate of `shots` for each stream, by `run`.

    run  ``map``, or the map of a pool
    """
    return list(run(pi, [check_shots(shots)] * len(streams), streams))
