"""Workers that train together, in processes of their own, on loopback only.

One program imports TensorFlow behind the library that guards ``bind`` (see
graphs/servers), runs nothing, and is copied for each worker.  Its end is
theirs, and it ends with this process, however that ends.
"""

import json
import socket
import tempfile

from onthefly.experiments.graphs import servers
from onthefly.tools import cpp
from onthefly.tools.processes import Lazy, ProcessError, Program

CHILD = "onthefly.experiments.training.distributed_child"
LIMIT = 60  # seconds that workers may take to meet, and to train
TRIES = 3  # a port that was free may be taken a moment later


class Origin:
    """What workers are copied from; a context manager, which ends all.

    It starts with the first of them, which raises libraries.Missing where
    there is no C compiler, or no Linux.
    """

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="workers")
        self._program = Lazy(self._started)
        self._forks = []

    def _started(self):
        if lack := servers.missing():
            raise cpp.lacking(lack)
        servers.avoid_proxies()
        library = servers.build(self._folder.name)
        return Program(
            CHILD,
            environment={
                "LD_PRELOAD": str(library),
                "CUDA_VISIBLE_DEVICES": "",
            },
        )

    def fork(self, *first, **environment):
        """Return a Fork whose TensorFlow has run nothing yet.

        first  a function and its arguments that it is asked before others

        It is made when it is first used.
        """

        def forked():
            worker = self._program.fork(environment)
            if first:
                worker.ask(*first)
            return worker

        self._forks.append(Lazy(forked))
        return self._forks[-1]

    def server(self):
        """Start a tf.distribute.Server; return its worker and its address."""
        worker = self.fork()
        port = worker.ask("listen", limit=LIMIT)
        return worker, f"127.0.0.1:{port}"

    def team(self, count, seed):
        """Return a Team of so many workers, which meet when first used."""
        return Lazy(lambda: self._met(count, seed))

    def _met(self, count, seed):
        for trial in range(TRIES):
            team = Team([
                self.fork(TF_CONFIG=config)
                for config in configurations(free_ports(count))
            ])  # fmt: skip
            try:
                team.addresses = team.all("join", seed)
                return team
            except ProcessError:
                team.close()
                if trial == TRIES - 1:
                    raise

    def close(self):
        """End all processes."""
        for worker in self._forks:
            worker.close()
        self._program.close()
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Team:
    """Workers that step together: what one is asked, all are asked.

    workers  Forks

    `addresses` are those on which each has sockets.
    """

    def __init__(self, workers):
        self.workers, self.addresses = workers, []

    def all(self, function, *arguments, **options):
        """Ask all at once; return their answers, raise as `Fork.ask`."""
        for worker in self.workers:
            worker.send(function, *arguments, **options)
        return [worker.receive(LIMIT) for worker in self.workers]

    def train(self, x, y, eager=False):
        """Take a step for each batch; return the seconds of a step.

        Each worker takes its own rows of every batch.
        """
        count = len(self.workers)
        for k, worker in enumerate(self.workers):
            worker.send("train", x, y, k, count, eager)
        return max(worker.receive(LIMIT) for worker in self.workers)

    def weights(self):
        """Return the weights of each worker."""
        return self.all("weights")

    def close(self):
        """End the workers."""
        for worker in self.workers:
            worker.close()


def free_ports(count):
    """Return ports on loopback that the system gives, free a moment ago."""
    held = [socket.socket() for _ in range(count)]
    try:
        for each in held:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in held]
    finally:
        for each in held:
            each.close()


def configurations(ports):
    """Return the TF_CONFIG of each worker, by which they find each other."""
    cluster = {"worker": [f"127.0.0.1:{port}" for port in ports]}
    return [
        json.dumps({
            "cluster": cluster, "task": {"type": "worker", "index": k}
        })
        for k in range(len(ports))
    ]  # fmt: skip
