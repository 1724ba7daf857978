"""Calls of one function as tasks: by a graph, in a pool, one by one.
Source of the questions: Okuda, PyCon JP 2018, slides 38 to 40.
"""

from concurrent.futures import ThreadPoolExecutor

from onthefly.kernels.pi import pi_dask, pi_pool


def by_delayed(call, sizes):
    """Return a call's results by delayed tasks, in one thread of Dask."""
    from dask import delayed

    results = delayed(list)([delayed(call)(size) for size in sizes])
    return results.compute(scheduler="threads", num_workers=1)


def by_threads(pi, counts):
    """Return {"delayed, 3": function of shots, "pool, 3": …}.

    pi      an estimate of π that lets go of the GIL
    counts  numbers of threads, with as many tasks

    Each count has a pool of its own, which is kept from call to call.
    """

    def delayed(threads):
        return lambda shots: pi_dask.pi_delayed(pi, shots, threads)

    def pooled(threads):
        pool = ThreadPoolExecutor(threads)
        return lambda shots: pi_pool.pi_pool(pi, shots, pool, threads)

    return {
        f"{way}, {count}": made(count)
        for count in counts
        for way, made in (("delayed", delayed), ("pool", pooled))
    }


def three_tasks(call):
    """Return {way: function of a size}: three calls of this size.

    In series, in a pool of one thread, and in one thread of Dask: nothing
    runs at the same time, so that what they differ by is the handling.
    """
    pool = ThreadPoolExecutor(1)
    return {
        "series": lambda size: [call(size) for _ in range(3)],
        "pool": lambda size: list(pool.map(call, [size] * 3)),
        "delayed": lambda size: by_delayed(call, [size] * 3),
    }


def three_threads(functions, shots):
    """Return {"NumPy, series": call, "NumPy, delayed": …, "NumPy, pool": …}.

    functions  {name: an estimate of π}
    shots      {name: shots of a call}, which are cut in three
    """
    pool = ThreadPoolExecutor(3)
    ways = {
        "series": pi_pool.pi_series,
        "delayed": pi_dask.pi_delayed,
        "pool": lambda pi, n: pi_pool.pi_pool(pi, n, pool),
    }

    def call(name, way):
        return lambda: ways[way](functions[name], shots[name])

    return {
        f"{name}, {way}": call(name, way)
        for name in functions
        for way in ways
    }


def per_stream(kinds):
    """Return {kind: function of shots, "kind, threads": …}: three calls.

    kinds  {name: (an estimate of π from a stream, three streams)}
    """
    pool = ThreadPoolExecutor(3)

    def call(run, name):
        return lambda shots: pi_pool.per_stream(run, *kinds[name], shots)

    return {
        name + tag: call(run, name)
        for name in kinds
        for tag, run in (("", map), (", threads", pool.map))
    }
