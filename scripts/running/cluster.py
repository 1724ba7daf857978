"""Chapters on the workers of a Dask cluster: one at a time a machine.

Who runs which page, and that the page of a worker that was lost runs again,
is left to `distributed`: each machine has a worker that declares the
resource MACHINE=1, and GPU=1 where it has a device, and a page takes them.
"""

import collections
import contextlib
import dataclasses
import datetime
import logging
import pathlib
import warnings

import distributed

from commandline import Interrupted
from onthefly import files
from onthefly.errors import UserError, from_system
from onthefly.measure import data
from onthefly.measure.libraries import LIBRARIES
from onthefly.page import needs, results
from reading import notebooks
from running import remote
from running.display import span
from running.job import Job
from running.summary import Failure, Outcome

CONNECT = 5  # seconds that a scheduler may take to answer
RETRIES = 2  # of a page whose worker raised: another may run it
SCHEMA = pathlib.Path(__file__).with_name("remote.schema.json")
START = "dask worker ADDRESS --nthreads 1 --resources MACHINE=1"
MEND = "start it as book/cluster.md says, in the state of this checkout"
LONGEST = 300  # characters of what a worker or `distributed` says

# Its complaints about workers come beside ours, less clear.
for noisy in ("distributed", "distributed.client"):
    logging.getLogger(noisy).setLevel(logging.CRITICAL)
warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)


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
        needed = self.sources.needs(self.chapter.slug)
        return any(map(needs.on_device, needed))

    def outcome(self, future):
        """Return the Outcome of a page that came back, or did not."""
        try:
            return self._kept(future.result())
        except UserError as error:  # without the repair of a kept file
            why = str(error).partition("; ")[0]
        except OSError as error:  # a full disk costs one page
            why = str(from_system(error))
        except Exception as error:  # a worker's, or of `distributed`
            why = f"{type(error).__name__}: {error}"
        return Outcome(self, "FAILED", 0, Failure(None, "", _line(why)))

    def _kept(self, answer):
        """Keep what came back under names of this side; return the Outcome.

        Raises an error where it is no page: what is kept of it is partial.
        """
        if fault := files.breach(answer, SCHEMA):
            raise UserError(f"it returned no page: {fault}")
        seconds = answer["milliseconds"] / 1000
        begun = datetime.datetime.now(datetime.UTC) - datetime.timedelta(
            seconds=seconds
        )
        job = dataclasses.replace(self, host=answer["machine"])
        for path, name in (self.partial, "notebook"), (self.log, "log"):
            if answer[name]:
                files.write(path, answer[name])
        if fields := answer["failure"]:
            return Outcome(job, "FAILED", seconds, Failure(**fields))
        notebooks.read(self.partial)
        for text, path, read in (
            (answer["data"], job.data, data.load),
            (answer["results"], job.results, results.load),
        ):
            if text:
                job.keep(text, path, read)
        self.partial.replace(self.executed)
        self.log.unlink(missing_ok=True)
        job.finish(begun.isoformat("T", "seconds"), seconds)
        return Outcome(job, "done", seconds)

    def keep(self, text, path, read):
        """Keep the text of data or results that the host returned.

        Raises UserError where it is none, or another page's or machine's.
        """
        unchecked = self.partial.with_suffix(".unchecked.json")
        files.write(unchecked, text)
        returned = read(unchecked)
        of = returned.page, returned.machine["slug"]
        if of != (self.chapter.slug, self.host):
            raise UserError("it returned what {!r} on {!r} is".format(*of))
        unchecked.unlink()
        files.write(path, text)


def _line(text):
    return " ".join(text.split())[:LONGEST]


class Cluster:
    """The workers of a scheduler, which are as this machine is.

    workers  {address: what the scheduler knows of a worker}
    """

    def __init__(self, address, client, sources):
        self.address, self.client, self.sources = address, client, sources
        self.state = sources.everything()
        self.workers = {
            worker: known
            for worker, known in client.scheduler_info()["workers"].items()
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
        [(host, count)] = collections.Counter(hosts).most_common(1)
        if count > 1:
            raise self._refused(
                f"{count} workers on {host} declare MACHINE, so that pages "
                "would disturb one another", "start one there",
            )  # fmt: skip

    def _check_versions(self):
        """Refuse a worker with other versions of Python or of libraries."""
        # `check=True` would only warn, in a table.
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
        replies = self.client.run(
            remote.about, self.state, workers=[*self.workers],
            on_error="return",
        )  # fmt: skip
        for address, reply in replies.items():
            if not isinstance(reply, str):
                what = f"{address}: it cannot run pages: {_line(str(reply))}"
                raise self._refused(what, MEND)
        return frozenset(replies.values())

    def job(self, chapter, asked):
        """Return the Remote of a chapter; `asked` is the Request."""
        return Remote(chapter, asked, self.sources, machines=self.machines)

    def run(self, jobs):
        """Run the jobs; return {a job's name: Outcome}.

        Raises Interrupted on Ctrl-C; what runs on the workers ends then.
        """
        self._check_devices(jobs)
        self.client.register_plugin(remote.EndPage())
        outcomes = {}
        try:
            futures = {self._submit(job): job for job in jobs}
            for future in distributed.as_completed(futures):
                outcome = futures[future].outcome(future)
                outcomes[outcome.job.name] = outcome
                print(
                    f"{outcome.job.name}: {outcome.word} in "
                    f"{span(outcome.seconds)} on {outcome.job.host or '?'} "
                    f"({len(outcomes)} of {len(jobs)})",
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
        """Start a page; return its future."""
        for line in job.begin():
            print(f"{job.name}: {line}", flush=True)
        text = job.chapter.path.read_text(encoding="utf-8")
        return self.client.submit(
            remote.run, job.chapter.name, text, job.request, self.state,
            resources={"MACHINE": 1} | ({"GPU": 1} if job.on_device else {}),
            retries=RETRIES, pure=False,
        )  # fmt: skip


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
