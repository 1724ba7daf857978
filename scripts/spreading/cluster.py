"""The cluster that is asked: its scheduler, its workers, their machines."""

import contextlib
import dataclasses
import logging
import uuid

import cloudpickle
import distributed

from onthefly.refused import Refused
from spreading import facts, worker

CONNECT = 5  # seconds that a scheduler may take to answer
END = 5  # seconds to close the connection
LOST = (distributed.comm.CommClosedError, ConnectionError, TimeoutError)
REPAIR = (
    "repair: bring its checkout and environment to the state here, then "
    "start it again"
)

# Its complaints about a lost worker come beside ours, less clear.
for noisy in ("distributed", "distributed.client"):
    logging.getLogger(noisy).setLevel(logging.CRITICAL)
cloudpickle.register_pickle_by_value(worker)


class Gone(Exception):
    """The scheduler does not answer any more."""


@dataclasses.dataclass(frozen=True)
class Worker:
    """A worker: its address, its machine, and whether it declares a GPU.

    machine  the same for all workers that share processors
    name     of the machine, as results have it
    """

    address: str
    machine: str
    name: str
    gpu: bool


class Cluster:
    """A connection to a cluster, and what is known of its workers.

    workers  {address: Worker} of those that are there now
    refused  {address: why it is not used} of the others
    """

    def __init__(self, address, client, mine):
        self.address, self.client, self.mine = address, client, mine
        self.plugin = f"onthefly-{uuid.uuid4().hex}"
        self.workers, self.refused = {}, {}

    def look(self):
        """Ask who is there; return why new workers are not used, in lines.

        Raises Gone where the scheduler does not answer.
        """
        there = self._ask(self.client.scheduler_info)["workers"]
        for known in (self.workers, self.refused):
            for address in set(known) - set(there):
                del known[address]
        new = set(there) - set(self.workers) - set(self.refused)
        answers = self._about(sorted(new))
        for address, answer in answers.items():
            if why := self._fault(answer):
                self.refused[address] = f"worker {address}: {why}"
                continue
            gpu = there[address]["resources"].get("GPU", 0) >= 1
            machine, name = answer["machine"], answer["name"]
            self.workers[address] = Worker(address, machine, name, gpu)
        return [self.refused[a] for a in answers if a in self.refused]

    def _about(self, addresses):
        """Return {address: what it says, or its error}."""
        if not addresses:
            return {}
        ask, options = self.client.run, {"on_error": "return"}
        found = self._ask(ask, worker.about, workers=addresses, **options)
        # One that has gone meanwhile is met again, if it comes back.
        return {
            address: answer
            for address, answer in found.items()
            if not isinstance(answer, LOST)
        }

    def _fault(self, answer):
        """Return why a worker is not to be used, or ""."""
        if isinstance(answer, Exception):
            answer = {"failed": f"{type(answer).__name__}: {answer}"}
        if why := answer.get("failed"):
            return f"{' '.join(why.split())[:200]}; {REPAIR}"
        if found := facts.differences(self.mine, answer["facts"]):
            return f"differs in {'; '.join(found)}; {REPAIR}"
        for other in self.workers.values():
            mine = other.machine, other.name
            if answer["name"] == mine[1] and answer["machine"] != mine[0]:
                return (
                    f"its machine and that of {other.address} are both "
                    f"called {mine[1]}; repair: start it with another "
                    "ONTHEFLY_MACHINE"
                )
        return ""

    @property
    def names(self):
        """The names of the machines."""
        return frozenset(w.name for w in self.workers.values())

    def start(self):
        """Get the workers ready to run pages."""
        self._ask(self.client.register_plugin, worker.Pages(), self.plugin)

    def submit(self, page, worker_, gpu):
        """Start a page on a worker; return its future.

        page  as of `spreading.child.run`
        gpu   it takes the worker's GPU
        """
        return self.client.submit(
            worker.task(),
            self.plugin,
            page,
            workers=[worker_.address],
            allow_other_workers=False,
            resources={"GPU": 1} if gpu else {},
            pure=False,
        )

    def wait(self, futures, seconds):
        """Return those that have ended, after so long at most; or Gone."""
        # One is cancelled if it was lost, and all without a scheduler.
        with contextlib.suppress(TimeoutError, distributed.CancelledError):
            distributed.wait(futures, seconds, return_when="FIRST_COMPLETED")
        self._stand()
        return [future for future in futures if future.done()]

    def answer(self, future):
        """Return what a task that has ended returned.

        Where it was lost: {"ended": how}; where it raised an error of its
        own, and not of the page: {"failed": why}.  Raises Gone.
        """
        try:
            return future.result()
        except (distributed.CancelledError, distributed.KilledWorker):
            return {"ended": "its task was lost"}
        except Exception as error:
            self._stand()
            text = " ".join(str(error).split())
            return {"failed": f"{type(error).__name__}: {text}"}

    def _stand(self):
        """Raise Gone where the connection is lost, and all tasks with it."""
        if self.client.status != "running":
            raise Gone(self.address)

    def _ask(self, function, *arguments, **options):
        """Return what a method of the client does; Gone without scheduler."""
        self._stand()
        try:
            return function(*arguments, **options)
        except OSError as error:
            raise Gone(self.address) from error

    def end(self):
        """End what still runs on the workers for this run."""
        if self.client.status == "running":
            with contextlib.suppress(Exception):
                self.client.unregister_worker_plugin(self.plugin)


@contextlib.contextmanager
def connected(address, sources):
    """Connect to a scheduler; give the Cluster; at the end, close it.

    sources  key.Sources of this run

    Raises Refused where there is no scheduler, no worker, or one that
    differs from this machine in what makes a page.
    """
    try:
        client = distributed.Client(address, timeout=CONNECT)
    except (OSError, TimeoutError, ValueError, RuntimeError):
        raise Refused(
            f"--scheduler {address}: no Dask scheduler answers there; repair:"
            " start one (dask scheduler), or name the address that it prints"
        ) from None
    cluster = Cluster(address, client, facts.of(sources))
    try:
        lines = cluster.look()
        if lines:
            raise Refused("\n".join(lines))
        if not cluster.workers:
            raise Refused(
                f"--scheduler {address}: it has no workers; repair: start "
                f"one in a checkout of the book: dask worker {address}"
            )
        yield cluster
    except Gone:
        raise Refused(f"--scheduler {address}: it has gone") from None
    finally:
        cluster.end()
        with contextlib.suppress(Exception):
            client.close(timeout=END)
