"""A chapter to run, and what its last run left: files and a stamp.

The stamp lies beside the executed notebook.  It is written last and holds
the key of the page; what has none, or one without a key, is not finished.
"""

import dataclasses
import functools
import json

from onthefly import files
from onthefly.errors import CorruptFile, UserError
from onthefly.measure import data, machine, records
from onthefly.page import results
from onthefly.page.checkout import file_hash
from onthefly.page.source import FRESH, HERE
from reading import notebooks, stamps
from running import key, plan
from running.request import Chapter, Request


@dataclasses.dataclass(frozen=True)
class Job:
    """A chapter, how it is to run, and from which files its page is made.

    sources  the files that pages are made from, as the run found them
    unplanned  it measures what its cells do not show
    """

    chapter: Chapter
    request: Request
    sources: key.Sources
    unplanned: bool = False

    @property
    def name(self):
        """What the display and the table call it."""
        return self.chapter.slug + self.request.label

    @property
    def machine(self):
        """The name of the machine whose measurements it tells."""
        mode = self.request.data
        if mode in (HERE, FRESH):
            return machine.slug()
        return records.shown(self.chapter.slug, mode)

    @property
    def partial(self):
        """Where the notebook is while it runs, or after a failure."""
        return self.request.pages / "partial" / f"{self.chapter.name}.ipynb"

    @property
    def log(self):
        """Where the kernel's own messages go."""
        return self.partial.with_suffix(".log")

    @property
    def executed(self):
        """Where the finished notebook goes."""
        return self.request.pages / "executed" / f"{self.chapter.name}.ipynb"

    @property
    def results(self):
        """Where the chapter stores what it measured."""
        name = f"{self.chapter.slug}.json"
        return self.request.results / self.machine / name

    @property
    def data(self):
        """Where what it measures is kept."""
        name = f"{self.chapter.slug}.json"
        return self.request.data_folder / self.machine / name

    @property
    def figures(self):
        """The folder of its figures."""
        return self.request.build / "figures" / self.chapter.slug

    @property
    def parameters(self):
        """What papermill injects."""
        named = {"preset": self.request.preset, "device": self.request.device}
        if "data" in self.chapter.defaults:
            named["data"] = self.request.data
        return named | self.request.parameters

    @property
    def cells(self):
        """Its cells as they run: papermill adds one with the parameters."""
        changed = self.chapter.changed(self.parameters)
        lines = [f"{name} = {value!r}" for name, value in changed.items()]
        injected = {
            "cell_type": "code",
            "source": "\n".join(lines),
            "metadata": {},
        }
        cells = []
        for cell in self.chapter.cells:
            cells.append(cell)
            if "parameters" in notebooks.tags(cell) and lines:
                cells.append(injected)
        return cells

    @functools.cached_property
    def measured(self):
        """{group: why} of what it would measure: see `plan.measured`."""
        return plan.measured(self)

    @property
    def measures(self):
        """Whether it may measure, so that nothing may run beside it."""
        return self.unplanned or bool(self.measured)

    @functools.cached_property
    def stamp(self):
        """The record of the last finished run, {} where none is readable."""
        try:
            return stamps.read(stamps.path_of(self.executed))
        except UserError:
            return {}

    @property
    def last_seconds(self):
        """How long its last run of this kind took, or None.

        Of this preset, and with measurements or without.
        """
        kind = self.stamp.get("preset"), self.stamp.get("measured", True)
        same = kind == (self.request.preset, bool(self.measured))
        return self.stamp.get("duration_s") if same else None

    @property
    def drawn(self):
        """Slugs of the pages whose recorded measurements it takes."""
        return [self.chapter.slug, *self.chapter.lenders]

    @functools.cached_property
    def key(self):
        """The key of the page, of what it is made from before it runs."""
        values = self.chapter.defaults | self.parameters
        return self.sources.key(self.chapter, values, self.machine)

    @functools.cached_property
    def changes(self):
        """What changed since the last run: words; [] where nothing did."""
        if not self.stamp:
            there = stamps.path_of(self.executed).exists()
            return ["stamp" if there else "never run"]
        old = self.stamp["key"]
        if old is None:
            return ["last run not finished"]
        words = key.changes(old, self.key)
        if self.stamp.get("notebook_sha256") != file_hash(self.executed):
            words.append("executed notebook")
        if self.stamp.get("results_sha256") != file_hash(self.results):
            words.append("results")
        if self.stamp.get("data_sha256", "") != file_hash(self.data):
            words.append("data")
        return words

    @property
    def reasons(self):
        """Why it is to run: words; [] where the last run still holds."""
        return self.changes or ["--force"] * self.request.force

    def begin(self):
        """Take away what a run must not leave; yield a line for a fault.

        What an earlier run left broken is set aside, and made anew; a file
        that cannot be read is another fault.  Where the run is by force, the
        last one's key is taken back, so that its files do not count: if the
        new one fails or is killed, nothing else would tell.
        """
        for path in (self.partial, self.log):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
        written = [
            (stamps.path_of(self.executed), stamps.read),
            (self.results, results.load),
        ]
        if self.request.data in (HERE, FRESH):
            written.append((self.data, data.load))
        for path, read in written:
            try:
                read(path)
            except CorruptFile as error:
                aside = files.set_aside(path)
                yield f"{error.fault}; set aside as {aside.name}"
            except UserError:
                continue
        if not self.changes:
            self._write_stamp({**self.stamp, "key": None})

    def finish(self, started, seconds):
        """Write the stamp of a run whose notebook is in `executed`.

        started  ISO 8601 in UTC
        seconds  how long it took
        """
        values = self.chapter.defaults | self.parameters
        stamp = {
            "chapter": self.chapter.slug,
            "preset": values["preset"],
            "device": values["device"],
            "seed": values.get("seed"),
            "machine": self.machine,
            "key": self.key,
            "started": started,
            "duration_s": round(seconds, 3),
            "measured": bool(self.measured),
            "notebook_sha256": file_hash(self.executed),
            "results_sha256": file_hash(self.results),
            "data_sha256": file_hash(self.data),
        }
        self._write_stamp(stamp)

    def _write_stamp(self, stamp):
        path = stamps.path_of(self.executed)
        files.write(path, json.dumps(stamp, indent=1) + "\n")
