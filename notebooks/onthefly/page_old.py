"""What a chapter puts on its page, and what it concludes.

A :class:`Chapter` hands out measurements while the notebook runs, kept ones
or new, collects tables and verdicts, shows each as HTML, and writes what it
concluded to one results file at its end.
"""

import ast
import dataclasses
import functools
import html
import inspect
import re
import textwrap
import time

from IPython.display import HTML, Markdown, display

from onthefly import (
    claims,
    clock,
    expectations,
    figures,
    missing,
    plots,
    presets,
    provenance,
    results,
    source,
)
from onthefly import data as kept
from onthefly.quantity import EXAMPLE, UNMEASURED, Quantity
from onthefly.timings import Timings, table
from onthefly.tools import devices
from onthefly.tools.warm_up import warm_up

FEW_CASES = 30  # of which a claim's card says how many, and no percentage
SYMBOLS = {
    "reproduced": ("✓", "reproduced"),
    "stronger": ("▲", "stronger"),
    "weaker": ("▽", "weaker"),
    "contradicted": ("✗", "contradicted"),
    "shown": ("◉", "shown"),
    "not resolved": ("?", "unresolved"),
    "not measurable here": ("–", "unmeasured"),
    "history": ("◷", "history"),
    "chapter not written": ("…", "unwritten"),
}
DEVICES = ("auto", "cpu", "cuda")
DISTURBED = "other programs used this machine"
RATIOS = (
    "<p>Ratios and differences are medians of those within rounds: where "
    "times drift they may differ from those of two medians here.</p>"
)


def anchor(claim_id):
    """Return the id of a claim's place on its page, for links to it."""
    return f"claim-{claim_id}"


def _text(value):
    return html.escape(str(value))


def _gigabytes(count):
    return f"{count / 1e9:.0f} GB"


def machine_line(record):
    """Return the machine record as one line of text."""
    cores = record["cores"]["usable"]
    python = record["python"]
    kind = " free-threaded" if python["free_threaded"] else ""
    build = "" if python["pgo"] else ", no profile-guided build stated"
    gpu = ", ".join(map(_gpu, record["gpus"])) or "no GPU"
    return (
        f"{record['cpu']}, {cores} usable cores, "
        f"{_gigabytes(record['memory'])}, {gpu}; "
        f"CPython {python['version']}{kind} ({python['compiler']}{build}); "
        f"{record['system']}; load {record['load']:.2f}; "
        f"{record['time'][:10]}"
    )


def _gpu(about):
    """Return a GPU's name, with its power limit where that is lowered."""
    limit, most = (about.get(f"power_{k}") for k in ("limit", "default"))
    lowered = limit and most and limit < most
    tail = f" (power limit {limit:.0f} of {most:.0f} W)" if lowered else ""
    return about["name"] + tail


def held_back(record):
    """Return a line on the GPUs whose clocks are held back at a run's end.

    "" where none is, or where nothing tells; an idle one is not.
    """
    lines = []
    for about in record["gpus"]:
        after = about.get("after", {})
        reasons = [r for r in after.get("held_back") or [] if r != "idle"]
        if reasons:
            lines.append(
                f"{about['name']} at {after['sm'] or 'unknown'} MHz, "
                f"held back: {', '.join(reasons)}"
            )
    return f"At the end {'; '.join(lines)}." if lines else ""


class Chapter:
    """One run of one chapter.

    preset, device, seed, data: the notebook's parameters; `data` is as in
    `source`, and a record's preset and seed replace the others.  `budget` is
    the preset's time for one `measure`, in seconds; `machine` is the record
    of the machine whose measurements the page tells.

    Raises ValueError for a chapter that the ledger does not know, an unknown
    preset or device, or ``device="cuda"`` where no library sees one;
    UserError for a machine that has not recorded the chapter.
    """

    def __init__(
        self, slug, preset="S", device="auto", seed=0, data=source.FRESH
    ):
        self._started = time.monotonic()
        self._ledger = claims.load()
        if slug not in self._ledger.chapters:
            raise ValueError(f"chapter {slug!r} is not in {claims.LEDGER}")
        if device not in DEVICES:
            raise ValueError(f"device {device!r}: one of {DEVICES}")
        if device == "cuda" and not devices.has_cuda():
            raise ValueError("device 'cuda': no library sees one here")
        presets.check(preset)
        self._source = source.Source(slug, data, preset, device, seed)
        own = self._source.own
        self.slug, self.preset, self.seed = slug, own.preset, own.seed
        self.budget = presets.BUDGET[own.preset]
        self._may = device != "cpu" and self._source.measures
        self.timings = {}  # {group: Timings}, of all that this page tells
        self._results = results.Results(
            slug, own.preset, device, own.seed, data, own.machine
        )
        self._judged = {}
        self._carded = set()  # ids of the claims that have a card
        self._figures = {}  # {name: how many have it}
        self._disturbed = set()  # groups that a record stands for
        # None where no page runs, as in a test.
        self._heading = display(self._whose, display_id=True)

    @property
    def _whose(self):
        """The line that says whose measurements the page tells."""
        record = self.machine
        line = f"on {record['slug']}: {machine_line(record)}"
        preset = f"preset {self.preset}."
        if self._source.measures:
            return _paragraph(f"Measured {line}; {preset}")
        versions = (f"{k} {v}" for k, v in self._source.packages.items())
        parts = [f"Recorded {line}", ", ".join(sorted(versions)), preset]
        return _paragraph("; ".join(filter(None, parts)))

    @property
    def machine(self):
        """The record of the machine whose measurements the page tells."""
        return self._source.own.machine

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
        return self._may and devices.has_cuda()

    @property
    def results(self):
        """What this run has kept so far, a results.Results."""
        return self._results

    def on_gpu(self, *names):
        """Tell whether this run uses a GPU with these libraries; loads them.

        names  their keys in the table of libraries
        """
        return self._may and all(map(devices.sees_cuda, names))

    def pick(self, **choices):
        """Return the value given for this preset: ``pick(S=1, M=10)``.

        A preset that is not named takes the one before it.
        """
        return presets.nearest(self.preset, choices)

    def measure(self, group, candidates, *, share=1.0, **options):
        """Measure candidates in turns, keep their Timings, and return them.

        group       what the measurement is called in the results
        candidates  {name: function}, as in `clock.measure`
        share       of the preset's time for one measurement
        options     of `clock.measure`, as sizes
        """
        return self._take(clock.measure, group, candidates, share, options)

    def sample(self, group, samplers, *, share=1.0, **options):
        """Take samples that time themselves, keep and return the Timings.

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
        """Return the Timings of a group, kept or measured; keep them.

        group  what the measurement is called
        take   function without arguments that measures; returns Samples
        here   whether this machine can; where it cannot, the Timings are a
               recorded machine's, and one line says whose; or, where none
               has recorded the group, an example of the format: what is made
               from it may be drawn by itself, and is never a number in a
               text.  Neither judges

        A GPU runs warm before it.
        """

        def warmed():
            if self.cuda:
                warm_up()
            return take()

        return self._tell(group, self._source.samples(group, warmed, here))

    def look(self, name, function, *, here=True, anywhere=False, by=()):
        """Return what a function says of the machine, kept or asked now.

        name      what is looked at
        function  without arguments; returns what JSON can hold, as it would
                  be read again: lists for tuples, texts for keys
        here      whether this machine can be asked; otherwise as in
                  `collect`, but None where no machine has recorded it
        anywhere  whether it is the same on every machine, as what pinned
                  software prints: then what one has recorded by the same
                  code is told, and nothing is asked
        by        where it returns a list of dicts: keys that tell one row
                  from another; rows that only other machines have recorded
                  are added, and say so under "recorded"
        """
        told = self._source.look(name, function, here, anywhere)
        if not by:
            self._say(name, told)
            return told.value
        rows = [] if told.whose else list(told.value)
        for value, whose in self._source.recorded_looks(name):
            have = [[row.get(k) for k in by] for row in rows]
            rows += [
                row | {"recorded": whose}
                for row in value
                if [row.get(k) for k in by] not in have
            ]
        return rows

    def known(self, prefix):
        """Return names of groups and looks on record that begin so."""
        return self._source.known(prefix)

    def borrow(self, slug, group):
        """Return the Timings of another page's group, which that measures.

        What rests on it names it "<slug>/<group>".
        """
        return self._tell(group, self._source.borrow(slug, group), slug)

    def _tell(self, group, told, lender=""):
        """Return the Timings of what is told; show their table, folded."""
        origin = EXAMPLE if told.whose == kept.EXAMPLE else told.whose
        name = f"{lender}/{group}" if lender else group
        times = Timings.of(told.value, origin).named(name)
        if not lender:
            self.timings[group] = times
        self._say(group, told)
        if origin != EXAMPLE:
            whose = f"{group}, of the page {lender}" if lender else group
            self._samples(times, whose)
        if told.beside is not None:
            self._disturbed.add(group)
            self._samples(Timings.of(told.beside), f"{group}, disturbed here")
        for name, what in times.missing.items():
            self._note_missing(what, f"{group} | {name}")
        missing.leave_out(times.missing)
        return times

    def _say(self, name, told):
        """Say whose a measurement is, where it is not the page's own."""
        if told.whose == kept.EXAMPLE:
            self._line(f"{UNMEASURED.capitalize()}: “{name}”.")
        elif told.beside is not None:
            self._line(
                f"Other programs used this machine while “{name}” was "
                f"measured. Told in its place: {told.whose}."
            )
        elif told.whose:
            self._line(figures.whose(told.whose))
        if told.stale and told.whose != kept.EXAMPLE:
            self._line(
                f"“{name}” was measured by an earlier version of its code "
                f"({told.stale})."
            )

    def expect(self, text, *conditions):
        """Return what this run makes of a conclusion: nothing, or a line.

        text        the conclusion, a sentence with its full stop
        conditions  comparisons of Quantities, booleans, or lists of them

        For the prose, behind the sentence: {eval}`book.expect("…", a > b)`.
        Nothing is shown where all conditions hold.  The status page lists
        those that do not.
        """
        expectation = expectations.check(text, conditions)
        self._results.expected[text] = {
            "verdict": expectation.verdict,
            "numbers": expectation.numbers,
            "groups": list(expectation.groups),
        }
        if self._results.finished:  # the summary is asked at the very end
            results.save(self._results)
        return expectation

    def answer(self, question, text, *conditions):
        """Keep the answer to a question of the page *Questions*.

        question    its id in book/questions.yml
        text        a sentence or two of Markdown, with the numbers in it
        conditions  what has to hold for it, as in `expect`
        """
        self.expect(results.answer_to(question), *conditions)
        self._results.answers[question] = text

    def _samples(self, timings, group):
        noisy = sum(
            bool(timings.seconds(s.name, s.size).note) for s in timings
        )
        least = min(len(s.values) for s in timings)
        head = (
            f"Samples: {group} ({len(timings)} series, {noisy} noisy, "
            f"{least} {'round' if least == 1 else 'rounds'} or more)"
        )
        display(
            HTML(
                f'<details class="otf-data"><summary>{_text(head)}</summary>'
                f"{timings._repr_html_()}{RATIOS}</details>"
            )
        )

    def _note_missing(self, what, *names):
        """Note in the results what is missing for want of a library."""
        noted = self._results.missing.setdefault(what, [])
        noted.extend(name for name in names if name not in noted)

    @property
    def _told(self):
        """The record of the machine that is told; None where it is here."""
        return None if self._source.measures else self.machine

    def _unmet(self, claim):
        return claims.unmet(claim, self._may, self._told)

    def _why_not(self, claim, lacking=()):
        return claims.why_not(claim, self._may, lacking, self._told)

    def _cannot_here(self, claim, lacking=()):
        """Say that a claim is not measured for want of what it needs.

        lacking  names of what else is missing, as cells that were left out
                 lack it
        """
        why = self._why_not(claim, lacking)
        for what in [*claims.lacks(claim), *lacking]:
            self._note_missing(what, claim.id)
        self.cannot(claim.id, why)

    def _line(self, text):
        display(_paragraph(text))

    def table(self, name, rows, label):
        """Keep a list of dicts and show it as a table named `label`.

        Values may be text, numbers, None or Quantities; on disk a Quantity
        becomes text.
        """
        plain = [
            {
                k: str(v) if isinstance(v, Quantity) else v
                for k, v in r.items()
            }
            for r in rows
        ]
        if not _says_nothing(plain):
            self._results.tables[name] = plain
        self.show(plain, label)

    def show(self, rows, label):
        """Show a list of dicts as a table, without keeping it.

        One line stands for a table in which nothing is measured yet.
        """
        if _says_nothing(rows):
            self._line(f"{UNMEASURED.capitalize()}: “{label}”.")
            return
        head = list(dict.fromkeys(key for row in rows for key in row))
        cells = [[_cell(row.get(key)) for key in head] for row in rows]
        display(HTML(table(head, cells, label)))

    def plot(self, data, **options):
        """Draw data and show the figure: see `picture`."""
        display(self.picture(data, **options))

    def picture(self, data, *, name="", alt="", caption="", **options):
        """Return the figure of data, for the prose or a cell's last line.

        data          Timings or Quantities, as in `plots.chart`
        name          by default the group's, where it was measured here
        alt, caption  by default the finding, made from the data
        options       of `plots.chart`
        """
        chart = plots.chart(data, **options)
        return self._drawn(chart, name or self._group(data), alt, caption)

    def _group(self, data):
        """Return the name of the group that data are, or "figure"."""
        groups = self.timings.items()
        return next((k for k, times in groups if times is data), "figure")

    def _drawn(self, chart, name, alt, caption):
        """Return the HTML of a Chart under a name that no other one has."""
        stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        number = self._figures[stem] = self._figures.get(stem, 0) + 1
        stem += f"-{number}" if number > 1 else ""
        file = results.build_dir() / "figures" / self.slug / f"{stem}.svg"
        return HTML(
            figures.as_html(chart, stem, alt=alt, caption=caption, file=file)
        )

    def figure(self, chart, name, *, alt="", caption=""):
        """Show a Chart with its caption and data; write its SVG file.

        alt      the finding in words and numbers, for those who cannot see
        caption  the finding in one sentence; both by default the chart's own

        What another run measured is said to be so in caption and alt; an
        example has neither a finding nor data, see figures.as_html.
        """
        display(self._drawn(chart, name, alt, caption))

    def source(self, *functions):
        """Show functions of the lab from their source, without docstring."""
        for function in functions:
            function = getattr(function, "py_func", function)
            text = _undocumented(inspect.getsource(function))
            display(Markdown(f"```python\n{text}\n```"))

    def judge(self, claim_id, quantity, why="", today=None):
        """Judge a claim by a measured Quantity and show its card.

        `why` is a sentence that says what was measured, or the cause.
        `today` is the Quantity by today's software, where that of the
        claim's own time judges; it judges alone where only this one was
        measured here.
        A Quantity that this run did not measure judges nothing: the card
        says why, and what a recorded machine found.  Where it stands for one
        that others disturbed, the claim is not resolved.
        Raises KeyError for a claim that is not this chapter's.
        """
        claim = self._claim(claim_id)
        if quantity.origin and today is not None and not today.origin:
            quantity, today = today, None
            why = f"by today's software, in place of that of then: {why}"
        both = quantity.groups.union(today.groups if today else ())
        self._results.rests[claim_id] = sorted(both)
        if not self._unmet(claim) and quantity.groups & self._disturbed:
            self.unresolved(claim_id, f"{DISTURBED}; {self._why_not(claim)}")
            return
        if quantity.origin or self._unmet(claim):
            self._cannot_here(claim)
            return
        self._results.quantities[claim_id] = quantity
        self._results.reasons.pop(claim_id, None)
        if why:
            self._results.reasons[claim_id] = why
        if today is not None:
            self._results.today[claim_id] = today
        self._show(self._settled(claims.judge_results(claim, self._results)))

    def _settled(self, verdict):
        """Return a Verdict; one left open says what a recorded run found."""
        if verdict.verdict != claims.UNRESOLVED or not self._source.measures:
            return verdict
        known = claims.recorded(verdict.claim, decided=True)
        reasons = filter(None, [verdict.reason, known])
        return dataclasses.replace(verdict, reason="; ".join(reasons))

    def cannot(self, claim_id, reason="", beside=""):
        """Say why a claim cannot be measured here, and show its card.

        reason  by default, what it needs and is not here, and what another
                machine found
        beside  what is known of the claim all the same
        """
        claim = self._claim(claim_id)
        reasons = reason or self._why_not(claim), beside
        reason = "; ".join(filter(None, reasons))
        self._results.reasons[claim_id] = reason
        self._show(claims.judge_results(claim, self._results))

    def unresolved(self, claim_id, reason):
        """Say why a measurement leaves a claim open, and show its card.

        For what no single Quantity decides; of one, `judge` says so itself.
        """
        self._results.unresolved.append(claim_id)
        self.cannot(claim_id, reason)

    def _claim(self, claim_id):
        claim = self._ledger.claims.get(claim_id)
        if claim is None or claim.chapter != self.slug:
            raise KeyError(f"claim {claim_id!r} is not of {self.slug!r}")
        return claim

    def _show(self, verdict):
        name = verdict.claim.id
        self._judged[name] = verdict
        first = name not in self._carded
        self._carded.add(name)
        display(HTML(card(verdict, self._ledger.sources, first)))

    def close(self):
        """Judge what is left, show all verdicts, write the results file.

        Claims that were not judged are history, need what this machine or
        a cell that was left out lacks, or have no rule yet; another one left
        over raises ValueError, for each claim of a written chapter gets a
        verdict.
        """
        left_out = list(dict.fromkeys(missing.left_out))
        for what in left_out:
            self._note_missing(what)
        for claim in self._ledger.of(self.slug):
            if claim.id in self._judged:
                continue
            unmet = self._unmet(claim)
            if claim.kind != "history" and claim.expect and not unmet:
                if not left_out:
                    raise ValueError(f"claim {claim.id!r} was not judged")
                self._cannot_here(claim, left_out)
                continue
            if unmet and claims.lacks(claim):
                self._cannot_here(claim)
                continue
            if unmet:
                why = self._why_not(claim)
                self._results.reasons[claim.id] = why
            verdict = claims.judge_results(claim, self._results)
            self._judged[claim.id] = verdict
        rows = [
            [v.claim.says, v.claim.figure, str(v.quantity or ""), _summed(v)]
            for v in self._judged.values()
        ]
        head = ["what was said", "published", "here", "verdict"]
        if rows:
            links = [
                "" if name in self._carded else anchor(name)
                for name in self._judged
            ]
            verdicts = table(head, rows, "Verdicts of this page", links)
            display(
                HTML(
                    '<details class="otf-data"><summary>Every claim of this '
                    f"page ({len(rows)})</summary>{verdicts}</details>"
                )
            )
        self._source.close()
        if self._heading:  # it was shown before anything was measured
            self._heading.update(self._whose)
        if line := held_back(self.machine):
            self._line(line)
        self._results.machine = self.machine
        self._results.finished = True
        self._results.lab = provenance.lab_files()
        self._results.read = provenance.read_files()
        self._results.drawn = provenance.slugs()
        self._results.seconds = round(time.monotonic() - self._started, 1)
        results.save(self._results)


def _paragraph(text):
    return HTML(f'<p class="otf-machine">{_text(text)}</p>')


def _undocumented(source):
    """Return a function's or class's source, not indented, less docstring."""
    lines = textwrap.dedent(source).rstrip().splitlines()
    (node,) = ast.parse("\n".join(lines)).body
    if ast.get_docstring(node) is not None:
        doc = node.body[0]
        del lines[doc.lineno - 1 : doc.end_lineno]
    return "\n".join(lines)


def _says_nothing(rows):
    """Tell whether all that a table says of its rows is an example's."""
    cells = [v for row in rows for v in list(row.values())[1:]]
    return {str(v) for v in cells if v not in (None, "")} == {UNMEASURED}


def _cell(value):
    if value is None:
        return "–"
    return f"{value:g}" if isinstance(value, float) else value


def _mark(verdict):
    symbol, _ = SYMBOLS[verdict.verdict]
    return f"{symbol} {verdict.verdict}"


def _summed(verdict):
    """Return a verdict's mark; of what was not measured, with the reason."""
    if verdict.verdict != claims.UNMEASURED:
        return _mark(verdict)
    return f"{_mark(verdict)}: {verdict.reason}"


def _judged_by(claim):
    """Return what a card says of how its claim was judged."""
    said = claim.reading
    own = "the claim's own quantity"
    measures = own if said["measures"] == "own" else said["measures"]
    part = said["part"]
    if part in ("whole", "half", "a part", "none"):
        part += " of it"
    return (
        f"Judged: {measures}; by {said['by']}; {part}; cases "
        f"chosen by {said['cases']}. Against it would speak: "
        f"{said['against']}."
    )


def card(verdict, sources, first=True):
    """Return a claim card: what was said, and what became of it.

    The verdict, the claim and its figures: published, by the software of then
    where that was tried, and by today's; unfolded, who said it, and why
    the verdict is what it is.  A link to the claim leads to the `first` card
    of it on a page.
    """
    claim, q = verdict.claim, verdict.quantity
    _, kind = SYMBOLS[verdict.verdict]
    now = verdict.today
    told = [("published", claim.figure)]
    if q:
        told.append(("then" if now else "here", _counted(q)))
    if now:
        said = f"{_counted(now.quantity)}: {_mark(now)}"
        told.append(("today", said))
    reason = f'<p class="claim-why">{_text(verdict.reason)}</p>'
    why = reason if verdict.reason else ""
    where = claim.where
    for key, name in sources.items():
        where = where.replace(key, name)
    case = claims.written().get(claim.case)
    if case and claim.case != claim.chapter:
        title = claims.load().chapters[claim.case]
        address = f"../{provenance.name_of(case)}.html"
        link = f'<a href="{address}">{_text(title)}</a>'
        why += f'<p class="claim-why">The cause: {link}.</p>'
    if claim.reading:
        why += f'<p class="claim-why">{_text(_judged_by(claim))}</p>'
    # Within what is folded: a browser unfolds what a link leads to.
    link = f' id="{anchor(claim.id)}"' if first else ""
    return (
        f'<aside class="claim claim--{kind}" aria-label="Claim {claim.id}">'
        f'<details><summary><span class="claim-verdict">'
        f"{_text(_mark(verdict))}</span> "
        f'<span class="claim-said">{_text(claim.says)}</span></summary>'
        f'<p class="claim-source"{link}>{_text(sources[claim.source])}, '
        f"{_text(where)}</p>{why}</details>"
        f"<dl>{''.join(_pair(*pair) for pair in told)}</dl></aside>"
    )


def _pair(name, figure):
    return f"<div><dt>{name}</dt> <dd>{_text(figure)}</dd></div>"


def _counted(q):
    """Return a claim's figure; of a few cases, how many of them."""
    match = re.match(
        r"\d+ of (\d+)\b(, \d+ not (resolved|measured))*", q.note
    )
    if not match or int(match[1]) > FEW_CASES:
        return q
    return f"{match[0]} ({q.mark})" if q.mark else match[0]
