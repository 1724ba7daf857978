"""A chapter that runs elsewhere: is it up to date, what does it leave?"""

import dataclasses

from onthefly import files
from reading import stamps
from running.job import Job
from running.summary import Failure, Outcome


@dataclasses.dataclass(frozen=True)
class Remote(Job):
    """A chapter that runs on a machine of the cluster.

    machines  the names of all of them: a page of any is up to date
    device    it is to run where a worker declares a GPU
    """

    machines: frozenset
    device: bool

    @property
    def machine(self):
        """The name of the machine that ran it last; "" if it is not there."""
        name = self.stamp.get("machine", "")
        return name if name in self.machines else ""

    @property
    def results(self):
        """Where the last run's measurements lie."""
        return self._results_of(self.stamp.get("machine", ""))

    def _results_of(self, machine):
        name = f"{self.chapter.slug}.json"
        return self.request.results / machine / name

    def key(self, used):
        """Return the key of the page, as the machine of its last run."""
        return super().key(used) | {"machine": self.machine}

    @property
    def page(self):
        """What is sent to the machine: see `spreading.child.run`."""
        return {
            "name": self.chapter.path.name,
            "text": self.chapter.path.read_bytes(),
            "preset": self.request.preset,
            "device": self.request.device,
            "limit": self.request.limit,
            "parameters": self.request.parameters,
        }

    def begin(self):
        """Take away what a run must not leave; yield a line for a fault."""
        self.partial.unlink(missing_ok=True)
        yield from self.set_aside()
        if not self.changes:
            self.withdraw()

    def keep(self, answer):
        """Write what came back, the stamp last; return the Outcome.

        answer  what `spreading.child.run` returned
        """
        figures = self.request.build / "figures" / self.chapter.slug
        for name, data in answer["figures"].items():
            files.write(figures / name, data)
        if fields := answer["failure"]:
            return self._failed(Failure(**fields), answer)
        places = {
            "executed": self.executed,
            "results": self._results_of(answer["machine"]),
            "stamp": stamps.path_of(self.executed),
        }
        for name, path in places.items():
            if name in answer:
                files.write(path, answer[name])
        for path in (self.partial, self.log):
            path.unlink(missing_ok=True)
        vars(self).pop("stamp", None)  # what was read before the run
        return Outcome(self, "done", answer["seconds"])

    def _failed(self, failure, answer):
        for name, path in {"partial": self.partial, "log": self.log}.items():
            if name in answer:
                files.write(path, answer[name])
        here = str(self.request.build)
        reason = failure.reason.replace(answer["build"], here)
        failure = dataclasses.replace(failure, reason=reason)
        return Outcome(self, "FAILED", answer["seconds"], failure)
