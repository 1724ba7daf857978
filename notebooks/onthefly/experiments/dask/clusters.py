"""A cluster of Dask on this machine, and its sockets.
Source of the questions: Okuda, PyCon JP 2018, slides 36 to 40 and 54.
"""

import contextlib
import logging
import tempfile


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
