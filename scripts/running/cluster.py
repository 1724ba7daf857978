"""Chapters on the workers of a Dask cluster: one at a time a machine.

Who runs which page, and that the page of a worker that was lost runs again,
is left to `distributed`: each machine has a worker that declares the
resource MACHINE=1, and GPU=1 where it has a device, and a page takes them.
"""

import contextlib
import dataclasses
import datetime
import logging
import warnings

import distributed

from commandline import Interrupted
from onthefly import files
from onthefly.errors import UserError, from_system
from onthefly.libraries import LIBRARIES
from onthefly.tools import needs
from running import answers
from running.display import span
from running.job import Job
from running.summary import Failure, Outcome

CONNECT = 5  # seconds that a scheduler may take to answer
RETRIES = 2  # of a page whose process ended before it did
START = "dask worker ADDRESS --nthreads 1 --resources MACHINE=1"
MEND = "bring its checkout and environment to the state here"

# Its complaints about workers come beside ours, less clear.
for noisy in ("distributed", "distributed.client"):
    logging.getLogger(noisy).setLevel(logging.CRITICAL)
warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)


def task():
    """Return a function that asks the program `remote` on a worker.

    It is sent by its source, as all functions within functions are: a worker
    needs the lab and `distributed` alone.
    """

    def ask(function, *arguments):
        import os
        import threading

        import distributed

        from onthefly.provenance import NOTEBOOKS, ROOT
        from onthefly.tools.processes import Failed, ProcessError, Program

        paths = [os.environ.get("PYTHONPATH"), NOTEBOOKS, ROOT / "scripts"]
        paths = os.pathsep.join(str(path) for path in paths if path)
        ended = threading.Event()

        def watch(worker, key):
            """End the program where its task is taken back."""
            while not ended.wait(1):
                own = worker.state.tasks.get(key)
                closed = worker.status.name in ("closing", "closed")
                if closed or own is None or own.state != "executing":
                    program.end()

        try:
            with Program(
                "running.remote",
                environment={"PYTHONPATH": paths},
                reap=True,
            ) as program:
                if function == "run":
                    worker = distributed.get_worker()
                    task = worker, worker.get_current_task()
                    threading.Thread(target=watch, args=task).start()
                return program.ask(function, *arguments, limit=7 * 24 * 3600)
        except Failed as error:
            return {"failed": error.text}
        except ProcessError as error:  # which distributed cannot send
            raise RuntimeError(str(error)) from None
        finally:
            ended.set()

    return ask


@dataclasses.dataclass(frozen=True)
class Remote(Job):
    """A chapter that runs on a machine of the cluster.

    machines  the names of all of them: a page of any is up to date
    host      the name of the one that has just run it
    """

    machines: frozenset = frozenset()
    host: str = ""

    @property
    def machine(self):
        """The name of the machine that ran it last; "" if it is not there."""
        last = self.stamp.get("machine", "")
        return self.host or (last if last in self.machines else "")

    @property
    def on_device(self):
        """Whether it is to run where a worker declares a GPU.

        One of which a claim needs a device is, unless `--device cpu` is
        asked for.
        """
        if self.request.device != "auto":
            return self.request.device == "cuda"
        return any(
            map(needs.on_device, self.sources.needs(self.chapter.slug))
        )

    @property
    def page(self):
        """What is sent: see `remote.run`."""
        return {
            "name": self.chapter.path.name,
            "text": self.chapter.path.read_text(encoding="utf-8"),
            "preset": self.request.preset,
            "device": self.request.device,
            "limit": self.request.limit,
            "parameters": self.request.parameters,
            "state": self.sources.everything(),
        }

    def keep(self, answer):
        """Write what came back under names of this side; return the Outcome.

        Raises UserError, and writes nothing, where it is no page.
        """
        answers.check(answer, self.chapter)
        if fields := answer["failure"]:
            if answer["notebook"]:
                files.write(self.partial, answer["notebook"])
            files.write(self.log, answer["log"])
            return self.failed(answer["seconds"], Failure(**fields))
        job = dataclasses.replace(self, host=answer["machine"])
        if answer["results"]:
            files.write(job.results, answer["results"])
        files.write(job.executed, answer["notebook"])
        seconds = answer["seconds"]
        begun = datetime.datetime.now(datetime.UTC) - datetime.timedelta(
            seconds=seconds
        )
        job.finish(begun.isoformat("T", "seconds"), seconds)
        return Outcome(job, "done", seconds)

    def failed(self, seconds, failure):
        """Return the Outcome of a page that failed."""
        return Outcome(self, "FAILED", seconds, failure)


class Cluster:
    """A connection to a cluster whose workers are as this machine is.

    workers  {address: what the scheduler knows of a worker}
    """

    def __init__(self, address, client, sources):
        self.address, self.client, self.sources = address, client, sources
        everyone = client.scheduler_info()["workers"]
        self.workers = {
            worker: known
            for worker, known in everyone.items()
            if known["resources"].get("MACHINE")
        }
        self._check_workers()
        self._check_versions()
        self.machines = self._check_checkouts()

    def _refused(self, what, repair):
        return UserError(
            f"--scheduler {self.address}: {what}; repair: {repair}"
        )

    def _check_workers(self):
        """Refuse a cluster without workers, or with two on one machine."""
        if not self.workers:
            raise self._refused("no worker declares MACHINE", START)
        hosts = [known["host"] for known in self.workers.values()]
        for host in set(hosts):
            if hosts.count(host) > 1:
                raise self._refused(
                    f"{hosts.count(host)} workers on {host} declare MACHINE, "
                    "so that pages would disturb one another",
                    "start one there",
                )

    def _check_versions(self):
        """Refuse a worker with other versions of Python or of libraries."""
        known = {p for each in LIBRARIES.values() for p in each.packages}
        answer = self.client.get_versions(packages=sorted(known))
        here = answer["client"]["packages"]
        for address in self.workers:
            there = answer["workers"].get(address, {}).get("packages", {})
            words = [
                f"{name} {there.get(name) or 'missing'} there and "
                f"{here[name] or 'missing'} here"
                for name in here
                if there.get(name) != here[name]
            ]
            if words:
                raise self._refused(f"{address}: {', '.join(words)}", MEND)

    def _check_checkouts(self):
        """Refuse a worker of another checkout; return the machines' names."""
        state, names = self.sources.everything(), set()
        replies = self.client.run(
            task(), "about", state, workers=[*self.workers], on_error="return"
        )
        for address, reply in replies.items():
            match reply:
                case {"machine": str(name), "differs": ""}:
                    names.add(name)
                case {"differs": words}:
                    what = f"{address}: its checkout differs in {words}"
                    raise self._refused(what, MEND)
                case _:
                    words = " ".join(str(reply).split())[:200]
                    raise self._refused(f"{address}: {words}", MEND)
        return frozenset(names)

    def job(self, chapter, asked):
        """Return the Remote of a chapter; `asked` is the Request."""
        return Remote(chapter, asked, self.sources, self.machines)

    def run(self, jobs):
        """Run the jobs; return {a job's name: Outcome}.

        Raises Interrupted on Ctrl-C; what runs on the workers ends then.
        """
        self._check_devices(jobs)
        outcomes = {}
        try:
            futures = dict(map(self._submit, jobs))
            for future in distributed.as_completed(futures):
                outcome = self._outcome(futures[future], future)
                outcomes[outcome.job.name] = outcome
                print(
                    f"{outcome.job.name}: {outcome.word} in "
                    f"{span(outcome.seconds)} on {outcome.job.machine or '?'}"
                    f" ({len(outcomes)} of {len(jobs)})",
                    flush=True,
                )
        except KeyboardInterrupt:
            there = [j.name for j in jobs if j.name not in outcomes]
            raise Interrupted(
                f"interrupted; not run to the end: {', '.join(there)}"
            ) from None
        return outcomes

    def _check_devices(self, jobs):
        """Refuse pages for a device where no worker declares one."""
        pages = [job.name for job in jobs if job.on_device]
        if pages and not any(
            known["resources"].get("GPU") for known in self.workers.values()
        ):
            raise self._refused(
                f"{', '.join(pages)}: for a GPU, and no worker declares one",
                "start one with --resources MACHINE=1,GPU=1, or run with "
                "--device cpu, which draws what was recorded",
            )

    def _submit(self, job):
        """Start a page; return (its future, the job)."""
        for line in job.begin():
            print(f"{job.name}: {line}", flush=True)
        wanted = {"MACHINE": 1, "GPU": 1} if job.on_device else {"MACHINE": 1}
        future = self.client.submit(
            task(), "run", job.page, resources=wanted, retries=RETRIES,
            pure=False,
        )  # fmt: skip
        return future, job

    def _outcome(self, job, future):
        """Return the Outcome of a page that came back, or did not."""
        try:
            answer = future.result()
            if isinstance(answer, dict) and "failed" in answer:
                raise UserError(f"{answer['failed']}; {MEND}")
            return job.keep(answer)
        except UserError as error:
            why = str(error)
        except OSError as error:  # a full disk costs one page
            why = str(from_system(error))
        except UnicodeError:
            why = "what it returned is no text"
        except distributed.KilledWorker as error:
            why = f"{error.allowed_failures + 1} workers ended that had it"
        except distributed.CancelledError:
            why = f"the scheduler {self.address} has gone"
        except Exception as error:  # what a worker raised, or no worker
            why = " ".join(str(error).split())[:200]
        return job.failed(0, Failure(None, "", why))


@contextlib.contextmanager
def connected(address, sources):
    """Connect to a scheduler; give the Cluster; at the end, close it.

    sources  key.Sources of this run

    Raises UserError where there is no scheduler, no worker, or one that
    differs from this machine in what makes a page.
    """
    try:
        client = distributed.Client(address, timeout=CONNECT)
    except (OSError, TimeoutError, ValueError, RuntimeError):
        raise UserError(
            f"--scheduler {address}: no Dask scheduler answers there; repair:"
            " start one (dask scheduler), or name the address that it prints"
        ) from None
    try:
        yield Cluster(address, client, sources)
    except distributed.comm.CommClosedError:
        raise UserError(f"--scheduler {address}: it has gone") from None
    finally:
        with contextlib.suppress(Exception):
            client.close(timeout=CONNECT)
