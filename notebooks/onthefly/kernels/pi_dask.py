"""π by Dask: as a graph in threads, and by tasks on a cluster of processes.
Source: Okuda, PyCon JP 2018, slides 36 to 40 and 54.

Worker processes import this module, so it imports little.
"""

import contextlib
import logging
import sys
import tempfile
from pathlib import Path

from onthefly.kernels import check_shots, split

NOTEBOOKS = str(Path(__file__).resolve().parents[2])


def mean(estimates, sizes):
    """Return the mean of estimates, each weighted by its shots."""
    pairs = zip(estimates, sizes, strict=True)
    return sum(e * n for e, n in pairs) / sum(sizes)


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


def nodes_edges(collection):
    """Return a collection's graph: {key: label}, [(from, to)], by its keys.

    A label is the key without its random part.
    """
    graph = collection.__dask_graph__()
    order = {key: dict(graph)[key].dependencies for key in graph}
    nodes = {str(key): str(key).rsplit("-", 5)[0] for key in order}
    edges = [(str(a), str(b)) for b, needs in order.items() for a in needs]
    return nodes, edges


def listening():
    """Return {(process id, address, port)} of this process and its own.

    Every internet socket that accepts connections counts.
    """
    import psutil

    me = psutil.Process()
    return {
        (process.pid, c.laddr.ip, c.laddr.port)
        for process in (me, *me.children(recursive=True))
        for c in process.net_connections("inet")
        if c.status == psutil.CONN_LISTEN
    }


@contextlib.contextmanager
def cluster(workers=2):
    """Start a cluster of one-thread processes; give its Client; end it.

    All sockets are on 127.0.0.1, on ports that the system gives.  At the
    end, also after an error, no worker, socket or file of it is left; the
    helper that multiprocessing starts for workers ends with this process.
    """
    import dask
    from distributed import Client, LocalCluster

    if NOTEBOOKS not in sys.path:  # which a worker gets from its parent
        sys.path.append(NOTEBOOKS)
    with (
        tempfile.TemporaryDirectory(prefix="dask") as folder,
        dask.config.set({"temporary-directory": folder}),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            scheduler_port=0,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as local,
        Client(local) as client,
    ):
        client.wait_for_workers(workers)
        yield client


def state(seed, *place):
    """Return 64 bits: the start of the stream at a place of a tree.

    ``state(seed, 3, 1)`` belongs to child 1 of child 3 of a seed: what
    ``SeedSequence(seed).spawn`` gives, without making the others.
    """
    import numpy as np

    sequence = np.random.SeedSequence(seed, spawn_key=place)
    return int(sequence.generate_state(1, np.uint64)[0])


def hits_compiled(shots, start):
    """Count hits by the compiled loop, from a start of 64 bits."""
    import numpy as np

    from onthefly.kernels.pi_limit import BLOCK, hits_blocks

    return int(hits_blocks(0, -(-shots // BLOCK), shots, np.uint64(start)))


def task(place, shots, runs=1, seed=0, hits=hits_compiled):
    """Return the hits of so many runs of `shots`: one task of a cluster.

    place  number of the task; with the seed it decides the task's streams
    hits   hits(shots, start): the kernel, a function of a module
    """
    return [hits(shots, state(seed, place, run)) for run in range(runs)]


def pi_cluster(client, shots, seed=0, tasks=8, hits=hits_compiled):
    """Return π from `shots` points in so many tasks on a cluster.

    The same seed and number of tasks give the same result on any number of
    workers.
    """
    sizes = split(check_shots(shots), min(tasks, shots))
    places = range(len(sizes))
    found = client.gather(
        client.map(task, places, sizes, seed=seed, hits=hits, pure=False)
    )
    return 4.0 * sum(count for part in found for count in part) / shots
