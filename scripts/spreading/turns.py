"""Who runs what when: one page at a time a machine, lost ones again."""

import collections
import contextlib
import time

from onthefly.refused import of_system
from running.display import span
from running.summary import Failure, Outcome
from spreading.cluster import Gone

TRIES = 3  # so often a page may lose its worker
PATIENCE = 60  # seconds to wait for a worker, as a lost one comes back
LOOK = 2  # seconds between two looks at who is there: something is timed


def say(job, text):
    """Print a line about a chapter; a full disk ends no run."""
    with contextlib.suppress(OSError):
        print(f"{job.chapter.slug}: {text}", flush=True)


class Turns:
    """The chapters that wait, and those that run.

    cluster   the Cluster, which has started
    waiting   jobs (Remote), in the book's order
    running   {future: (job, Worker)}
    """

    def __init__(self, cluster, jobs):
        self.cluster, self.waiting, self.running = cluster, [*jobs], {}
        self._lost = collections.defaultdict(list)  # {slug: its Workers}
        self._seen = {}  # {slug: when a worker for it was there last}

    def outcomes(self):
        """Yield an Outcome for each job, as they end."""
        try:
            while self.waiting or self.running:
                for line in self.cluster.look():
                    print(f"not used: {line}", flush=True)
                yield from self._losses()
                self._hand_out()
                yield from self._forlorn()
                yield from self._answers()
        except Gone:
            gone = f"the scheduler {self.cluster.address} has gone"
            here = [job for job, _ in self.running.values()]
            for job in [*here, *self.waiting]:
                yield _failed(job, gone)

    def _losses(self):
        """Take back the pages whose worker has gone."""
        for future, (job, worker) in list(self.running.items()):
            if worker.address not in self.cluster.workers:
                del self.running[future]
                future.cancel()
                yield from self._again(job, worker, "its worker has ended")

    def _again(self, job, worker, why):
        """Let a page wait once more, or yield that it has failed."""
        lost = self._lost[job.chapter.slug]
        lost.append(worker)
        place = f"{worker.name} ({worker.address}): {why}"
        if len(lost) == TRIES:
            yield _failed(job, f"lost {TRIES} times, the last on {place}")
            return
        say(job, f"{place}; try {len(lost) + 1} of {TRIES} follows")
        self.waiting.insert(0, job)

    def _hand_out(self):
        """Give each machine that runs no page one that waits."""
        busy = {worker.machine for _, worker in self.running.values()}
        workers = self.cluster.workers.values()
        # First what only some machines can run.
        for job in sorted(self.waiting, key=lambda job: not job.device):
            fit = [w for w in workers if w.gpu or not job.device]
            if fit:
                self._seen[job.chapter.slug] = time.monotonic()
            if free := [w for w in fit if w.machine not in busy]:
                worker = min(free, key=lambda w: self._rank(job, w))
                busy.add(worker.machine)
                self._give(job, worker)

    def _rank(self, job, worker):
        """Return how little a worker suits a job: the smallest is best."""
        lost = self._lost[job.chapter.slug]
        return (
            worker.machine in [w.machine for w in lost],
            worker.address in [w.address for w in lost],
            worker.gpu and not job.device,
            worker.address,
        )

    def _give(self, job, worker):
        self.waiting.remove(job)
        for line in job.begin():
            say(job, line)
        say(
            job,
            f"on {worker.name} ({worker.address}), "
            f"expected {span(job.expected)}",
        )
        future = self.cluster.submit(job.page, worker, job.device)
        self.running[future] = job, worker

    def _forlorn(self):
        """Yield the failure of jobs for which no worker has come back."""
        for job in list(self.waiting):
            seen = self._seen.setdefault(job.chapter.slug, time.monotonic())
            if time.monotonic() - seen > PATIENCE:
                self.waiting.remove(job)
                kind = " that declares GPU" if job.device else ""
                yield _failed(job, f"no worker{kind} came in {PATIENCE} s")

    def _answers(self):
        """Wait a moment; yield the Outcome of what has ended."""
        if not self.running:
            time.sleep(LOOK)
            return
        for future in self.cluster.wait(list(self.running), LOOK):
            answer = self.cluster.answer(future)
            yield from self._ended(*self.running.pop(future), answer)

    def _ended(self, job, worker, answer):
        """Yield the Outcome of a page that has ended, unless it was lost."""
        if how := answer.get("ended"):
            yield from self._again(job, worker, how)
            return
        if why := answer.get("failed"):
            outcome = _failed(job, f"on {worker.name}: {why}")
        else:
            outcome = _kept(job, answer)
        say(job, f"{outcome.word} in {span(outcome.seconds)}")
        yield outcome


def _kept(job, answer):
    """Return the Outcome of a page whose files came back."""
    try:
        return job.keep(answer)
    except OSError as error:  # a full disk costs one page
        return _failed(job, str(of_system(error)))


def _failed(job, why):
    return Outcome(job, "FAILED", 0, Failure(None, "", why))
