"""π by Dask: as a graph in threads, and by tasks on a cluster of processes.
Source: Okuda, PyCon JP 2018, slides 36 to 40 and 54.

Worker processes import this module, so it imports little.
"""

from onthefly.kernels import check_shots, split
from onthefly.kernels.pi.pi_pool import mean
from onthefly.kernels.pools import usable


def graph(pi, shots, parts=3):
    """Return π as a Delayed: so many tasks ``pi(size)``, and their mean.

    pi     an estimate of π, called with a number of shots
    parts  tasks, at most as many as there are shots
    """
    from dask import delayed

    sizes = split(check_shots(shots), min(parts, shots))
    estimates = [delayed(pi)(size) for size in sizes]
    return delayed(mean)(estimates, sizes)


def pi_delayed(pi, shots, threads=3):
    """Return π by so many delayed tasks in as many threads."""
    total = graph(pi, shots, threads)
    return total.compute(scheduler="threads", num_workers=threads)


def pi_own(shots):
    """Return π by NumPy, from a stream of this thread's own.

    Threads that draw from one stream wait for each other.
    """
    from onthefly.kernels.pi.pi_numpy import pi_numpy, stream
    from onthefly.tools.threads import own

    return pi_numpy(shots, own(stream, None))


def pi_dask(shots, workers=None):
    """Return π by NumPy in tasks for so many of Dask's threads."""
    return pi_delayed(pi_own, shots, usable(workers))


def state(seed, place):
    """Return 64 bits: the start of a task's stream.

    What ``SeedSequence(seed).spawn`` gives the child of this number, without
    making the others.
    """
    import numpy as np

    sequence = np.random.SeedSequence(seed, spawn_key=(place,))
    return sequence.generate_state(1, np.uint64)[0]


def task(place, shots, seed=0):
    """Return the hits of one task of a cluster, by the compiled loop.

    place  number of the task; with the seed it decides the task's stream
    """
    from onthefly.kernels.pi.pi_limit import BLOCK, hits_blocks

    return int(hits_blocks(0, -(-shots // BLOCK), shots, state(seed, place)))


def pi_cluster(client, shots, seed=0, tasks=8):
    """Return π from `shots` points in so many tasks on a cluster.

    The same seed and number of tasks give the same result on any number of
    workers.
    """
    sizes = split(check_shots(shots), min(tasks, shots))
    places = range(len(sizes))
    hits = client.gather(
        client.map(task, places, sizes, seed=seed, pure=False)
    )
    return 4.0 * sum(hits) / shots
