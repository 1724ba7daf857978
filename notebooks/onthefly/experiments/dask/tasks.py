"""Tasks of Dask that do nothing, or change what they are given.

Worker processes import this module, so it imports little.
Source of the questions: Okuda, PyCon JP 2018, slides 39 and 40.
"""

import os
import sys
import threading


def nothing(*_):
    """Do nothing: what is left is the cost of a task."""


def build(count):
    """Return a Delayed of so many tasks and one that takes their results."""
    from dask import delayed

    return delayed(nothing)([delayed(nothing)(k) for k in range(count)])


def submit(pool, count):
    """Submit so many tasks to a pool and wait for each."""
    for future in [pool.submit(nothing, k) for k in range(count)]:
        future.result()


def futures(client, count):
    """Run so many tasks that do nothing on a cluster."""
    client.gather(client.map(nothing, range(count), pure=False))


def stages(counts):
    """Return {stage: function of a number of tasks} for ``clock.measure``.

    counts  the numbers of tasks, whose graphs are built beforehand

    The last one is all the others in turn, as ``compute`` does them.
    """
    import dask

    task = dask.delayed(nothing)
    nodes = {count: [task(k) for k in range(count)] for count in counts}
    made = {count: task(nodes[count]) for count in counts}
    graphs = {count: dict(made[count].__dask_graph__()) for count in counts}
    return {
        "make nodes": lambda n: [dask.delayed(nothing)(k) for k in range(n)],
        "join them": lambda n: dask.delayed(nothing)(nodes[n]),
        "optimise": lambda n: dask.optimize(made[n]),
        "schedule": lambda n: dask.threaded.get(
            graphs[n], made[n].key, num_workers=1
        ),
        "all of delayed": lambda n: build(n).compute(
            scheduler="threads", num_workers=1
        ),
    }


def calls(job, few=30, many=60):
    """Return how many calls of functions one more task costs its caller.

    job  function of a number of tasks

    Functions of Python and of C are counted, in the calling thread alone.
    """

    def count(tasks):
        seen = []

        sys.setprofile(lambda frame, event, _: seen.append(event))
        try:
            job(tasks)
        finally:
            sys.setprofile(None)
        return sum(event in ("call", "c_call") for event in seen)

    return (count(many) - count(few)) / (many - few)


def nodes_edges(collection):
    """Return a collection's graph: {key: label}, [(from, to)], by its keys.

    A label is the key without its random part.
    """
    graph = collection.__dask_graph__()
    order = {key: dict(graph)[key].dependencies for key in graph}
    nodes = {str(key): str(key).rsplit("-", 5)[0] for key in order}
    edges = [(str(a), str(b)) for b, needs in order.items() for a in needs]
    return nodes, edges


def spot(_=None):
    """Return the process and the thread that run this task."""
    return os.getpid(), threading.get_ident()


def places(spots):
    """Return in how many places tasks ran, and whether here: a dict.

    spots  of the tasks, as `spot` returns them

    processes, threads: how many; here, caller: whether this process, and
    the thread that calls, is one of them.
    """
    process, thread = spot()
    processes = {p for p, _ in spots}
    return {
        "processes": len(processes),
        "threads": len(set(spots)),
        "here": process in processes,
        "caller": (process, thread) in spots,
    }


def add_one(array):
    """Add 1 to an array in place, and return it."""
    array += 1
    return array


def plus_one(array):
    """Return a new array with 1 added."""
    return array + 1


def twice(compute):
    """Compute one task twice on one array; return both results and the array.

    compute  function of an array of one element, here 0
    """
    import numpy as np

    array = np.zeros(1)
    first, again = (float(compute(array)[0]) for _ in range(2))
    return first, again, float(array[0])


def add_rounds(array, rounds, lock):
    """Add 1 to a whole array in place, so many times, each under a lock."""
    for _ in range(rounds):
        with lock:
            array += 1


def lost(threads, lock, rounds=1000, size=100_000):
    """Return how many additions two tasks on one array lose, and of how many.

    lock  a context manager that the tasks share; ``nullcontext()`` for none
    """
    import dask
    import numpy as np

    array = np.zeros(size)
    task = dask.delayed(add_rounds, traverse=False)
    tasks = [task(array, rounds, lock) for _ in range(2)]
    dask.compute(*tasks, scheduler="threads", num_workers=threads)
    return int(2 * rounds * size - array.sum()), 2 * rounds * size


def in_place(client, data):
    """Add in place to data on a cluster; return the result and the data."""
    result = client.submit(add_one, data, pure=False).result()
    after = data.result() if hasattr(data, "result") else data
    return float(result[0]), float(after[0])
