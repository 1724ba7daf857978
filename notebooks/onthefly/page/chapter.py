"""A page's measurements: handed out while its notebook runs, and concluded.

A :class:`Chapter` measures, or takes what was measured before; its last call,
`Chapter.conclude`, works out what follows and writes the page's results.
"""

import functools
import time

from IPython.display import display

from onthefly.measure import clock, machine, presets, quantity
from onthefly.measure.timings import Timings
from onthefly.page import concluding, missing, results, showing, source
from onthefly.page.measurements import Notes
from onthefly.page.missing import Missing
from onthefly.tools import devices
from onthefly.tools.warm_up import warm_up

DEVICES = ("auto", "cpu", "cuda")
NOWHERE = "no recorded machine has measured it"


class Chapter:
    """One run of one page.

    preset, device, seed, data: the notebook's parameters; `data` is as in
    `source`, and a record's preset and seed replace the others.  `budget` is
    the preset's time for one `measure`, in seconds; `machine` is the record
    of the machine whose measurements the page shows.

    Raises ValueError for an unknown preset or device, or ``device="cuda"``
    where no library sees one; UserError for a machine that has not recorded
    the page.
    """

    def __init__(
        self, slug, preset="S", device="auto", seed=0, data=source.FRESH
    ):
        self.started = time.monotonic()
        if device not in DEVICES:
            raise ValueError(f"device {device!r}: one of {DEVICES}")
        if device == "cuda" and not devices.has_cuda():
            raise ValueError("device 'cuda': no library sees one here")
        presets.check(preset)
        self._source = source.Source(slug, data, preset, device, seed)
        own = self._source.own
        self.slug, self.preset, self.seed = slug, own.preset, own.seed
        self.budget = presets.BUDGET[own.preset]
        self.may_use_gpu = device != "cpu" and self._source.measures
        self.timings = {}  # {group: Timings}, of all that this page shows
        self.notes = Notes()
        self.disturbed = set()  # groups that a record stands for
        self.results = results.Results(
            slug, own.preset, device, own.seed, data, own.machine
        )
        self._figures = showing.Figures(slug)
        quantity.page_origin = own.origin

    # --- the machine -------------------------------------------------------

    @property
    def machine(self):
        """The record of the machine whose measurements the page shows."""
        return self._source.own.machine

    @property
    def recorded_on(self):
        """The record of that machine; None where this one measures."""
        return None if self._source.measures else self.machine

    @property
    def cores(self):
        """How many cores that machine may use, hyper-threads as cores."""
        return self.machine["cores"]["usable"]

    @property
    def real_cores(self):
        """The same with hyper-threads counted once."""
        return max(1, self.cores // self.machine["cores"]["threads_per_core"])

    @functools.cached_property
    def cuda(self):
        """Whether this run uses a GPU: some library sees one."""
        return self.may_use_gpu and devices.has_cuda()

    def on_gpu(self, *names):
        """Tell whether this run uses a GPU with these libraries; loads them.

        names  their keys in the table of libraries
        """
        return self.may_use_gpu and all(map(devices.sees_cuda, names))

    def pick(self, **choices):
        """Return the value given for this preset: ``pick(S=1, M=10)``.

        A preset that is not named takes the one before it.
        """
        return presets.nearest(self.preset, choices)

    # --- measuring ---------------------------------------------------------

    def measure(self, group, candidates, *, share=1.0, **options):
        """Measure candidates in turns; return their Timings.

        group       what the measurement is called in the results
        candidates  {name: function}, as in `clock.measure`
        share       of the preset's time for one measurement
        options     of `clock.measure`, as sizes
        """
        return self._take(clock.measure, group, candidates, share, options)

    def sample(self, group, samplers, *, share=1.0, **options):
        """Take samples that time themselves; return the Timings.

        As `measure`, with the samplers and options of `clock.sample`.
        """
        return self._take(clock.sample, group, samplers, share, options)

    def _take(self, take, group, candidates, share, options):
        rounds = presets.ROUNDS[self.preset]
        options = {"seed": self.seed, "rounds": rounds} | options
        budget = share * self.budget
        return self.collect(
            group, lambda: take(candidates, budget=budget, **options)
        )

    def collect(self, group, take, *, here=True):
        """Return the Timings of a group, measured now or before.

        group  what the measurement is called
        take   function without arguments that measures; returns Samples
        here   whether this machine can; where it cannot, the Timings are a
               recorded machine's, which its numbers name and which judge
               nothing; where none has recorded the group, a Missing

        A GPU runs warm before it.
        """

        def warmed():
            if self.cuda:
                warm_up()
            return take()

        return self._timings(group, self._source.samples(group, warmed, here))

    def timings_of(self, slug, group):
        """Return the Timings of another page's group, which that measures.

        What rests on it names it "<slug>/<group>".
        """
        found = self._source.of_page(slug, group)
        return self._timings(group, found, slug)

    def _timings(self, group, found, owner=""):
        """Return the Timings of what was found, and note them."""
        if found.nowhere:
            self.results.unmeasured.append(group)
            return Missing(NOWHERE)
        name = f"{owner}/{group}" if owner else group
        times = Timings.of(found.value, found.origin).named(name)
        if not owner:
            self.timings[group] = times
        if found.beside is not None:
            self.disturbed.add(group)
            disturbed = Timings.of(found.beside)
            self.notes.add(f"{group}, disturbed here", disturbed)
        self.notes.add(
            name,
            times,
            origin=found.origin,
            stale=found.stale,
            beside=found.origin if found.beside is not None else "",
        )
        for candidate, what in times.missing.items():
            self._note_missing(what, f"{group} | {candidate}")
        missing.leave_out(times.missing)
        return times

    def cached(self, name, function, *, here=True, anywhere=False, by=()):
        """Return what a function says of the machine, asked now or before.

        name      what is asked
        function  without arguments; returns what JSON can hold, as it would
                  be read again: lists for tuples, texts for keys
        here      whether this machine can be asked; otherwise as in
                  `collect`
        anywhere  whether it is the same on every machine, as what pinned
                  software prints: then what one has recorded by the same
                  code is taken, and nothing is asked
        by        where it returns a list of dicts: keys that tell one row
                  from another; rows that only other machines have recorded
                  are added, and say so under "recorded"
        """
        found = self._source.cached(name, function, here, anywhere)
        if not by:
            if found.nowhere:
                self.results.unmeasured.append(name)
                return Missing(NOWHERE)
            origin = "" if anywhere else found.origin
            self.notes.add(name, origin=origin, stale=found.stale)
            return found.value
        rows = [] if found.origin or found.nowhere else list(found.value)
        for value, origin in self._source.recorded_answers(name):
            have = [[row.get(k) for k in by] for row in rows]
            rows += [
                row | {"recorded": origin}
                for row in value
                if [row.get(k) for k in by] not in have
            ]
        return rows

    def known(self, prefix):
        """Return names of measurements on record that begin so."""
        return self._source.known(prefix)

    def _note_missing(self, what, *names):
        """Note in the results what is missing for want of a library."""
        noted = self.results.missing.setdefault(what, [])
        noted.extend(name for name in names if name not in noted)

    # --- showing -----------------------------------------------------------

    def plot(self, data, name="", **options):
        """Draw data and show the figure, in a cell: see `showing.Figures`.

        name  by default the measurement's
        """
        groups = self.timings.items()
        own = next((k for k, times in groups if times is data), "figure")
        display(self.draw(data, name or own, **options))

    def draw(self, data, name, **options):
        """Return a figure: see `showing.Figures.draw`."""
        return self._figures.draw(data, name, **options)

    def source(self, *functions):
        """Show functions of the book's package, without their docstrings."""
        for function in functions:
            display(showing.code(function))

    # --- ending ------------------------------------------------------------

    def conclude(self, names):
        """Work out what the page concludes, and write its results.

        names  the notebook's, as ``globals()``; the values of the module
               beside it are added

        Raises ConclusionError, with file, line and function.
        """
        concluding.conclude(self, names)

    def close(self):
        """Drop what the page does not measure any more."""
        for what in dict.fromkeys(missing.left_out):
            self._note_missing(what)
        self._source.close()
        quantity.page_origin = self._source.own.origin
        self.results.machine = self.machine

    @property
    def whose(self):
        """The line that says which machine the page's numbers are from."""
        record = self.machine
        line = f"on {record['slug']}: {machine.line(record)}"
        preset = f"preset {self.preset}."
        if self._source.measures:
            return f"Measured {line}; {preset}"
        versions = (f"{k} {v}" for k, v in self._source.packages.items())
        parts = [f"Recorded {line}", ", ".join(sorted(versions)), preset]
        return "; ".join(filter(None, parts))
