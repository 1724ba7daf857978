"""This copy of the book: its pages' runs, and what they say of the claims.

The pages that the build writes take all of it from one `Copy`, which reads
each file and judges each claim once.
"""

import collections
import dataclasses
import functools

import jinja2

import templates
from commandline import ROOT
from onthefly.errors import UserError
from onthefly.measure import records, timings
from onthefly.page import claims, results
from onthefly.page.verdicts import SYMBOLS, anchor
from rendering import falls, places
from rendering.facts import FACTS

HERE = "here"  # stands for this copy in the place of a machine's name


@dataclasses.dataclass(frozen=True)
class Judged:
    """What one run says of a claim.

    verdict  the claims.Verdict
    run      the results.Results; None where the page has no run
    here     the run is this copy's own
    """

    verdict: claims.Verdict
    run: results.Results | None
    here: bool

    @property
    def claim(self):
        """The claims.Claim."""
        return self.verdict.claim

    @property
    def machine(self):
        """The machine's name, or HERE."""
        return HERE if self.here else self.run.machine["slug"]

    @property
    def place(self):
        """Where the claim stands in its talk."""
        return places.place(self.claim)

    @property
    def kind(self):
        """The verdict in one word."""
        return SYMBOLS[self.verdict.verdict][1]

    @property
    def measured(self):
        """What was measured, with its interval; why, where nothing was."""
        if q := self.verdict.quantity:
            return str(q)
        return self.verdict.reason

    @property
    def of_then(self):
        """The Verdict by the software of the claim's time, or None."""
        alone = (self.claim.reading or {}).get("software") == "then"
        return self.verdict if alone or self.verdict.today else None

    @property
    def of_today(self):
        """The Verdict by today's software, or None: nobody asked it."""
        alone = None if self.of_then else self.verdict
        return self.verdict.today or alone

    @functools.cached_property
    def fall(self):
        """How far the claim fell, and by what: a falls.Fall."""
        return falls.of(self.of_then, self.of_today)

    @property
    def origin(self):
        """Whose the run is: machine, day and preset."""
        recorded = "" if self.here else ", recorded"
        return f"{self.run.origin}{recorded}" if self.run else ""


class Copy:
    """What the build makes its pages from.

    stamps  {page's name, as "part/topic": stamp of its last run}, in the
            book's order
    root    folder of _toc.yml and book/

    Its attributes raise UserError for files that cannot be read.
    """

    def __init__(self, stamps, root=ROOT):
        self.stamps, self.root = stamps, root
        self.names = {s["chapter"]: name for name, s in stamps.items()}

    @functools.cached_property
    def runs(self):
        """{page's name: its Results in this copy}, of those with any."""
        asked = {s["chapter"]: s["machine"] for s in self.stamps.values()}
        every = {
            slug: results.find(slug, machine).get(machine)
            for slug, machine in asked.items()
        }
        return {slug: run for slug, run in every.items() if run}

    def measured(self, slug):
        """Return the timings.Measured that a page was told, or None."""
        run = self.runs.get(slug)
        if run is None:
            return None
        machine = run.machine["slug"]
        try:
            own = records.find(slug, machine, run.preset, run.data)
        except UserError:  # a page that measures nothing has none
            return None
        return timings.Measured(own)

    def recorded(self, slug):
        """Return a page's recorded Results, the newest first.

        This copy's own run is none of them.
        """
        own = self.runs.get(slug)
        when = own.machine["time"] if own else None
        others = [r for r in results.recorded(slug) if _time(r) != when]
        return sorted(others, key=_time, reverse=True)

    @functools.cached_property
    def judged(self):
        """{claim id: [Judged, ...]} of the whole ledger, in its order.

        This copy's verdict comes first, for each claim; where the page did
        not run here, it is that there is none.  Those of recorded runs that
        measured the claim follow, the newest first.
        """
        slugs = dict.fromkeys([*self.names, *claims.load().chapters])
        recorded = {slug: self.recorded(slug) for slug in slugs}
        try:
            own = claims.verdicts(self.runs)
            every = [
                [Judged(one, self.runs.get(one.claim.chapter), True)]
                + [
                    Judged(claims.judge_results(one.claim, run), run, False)
                    for run in recorded[one.claim.chapter]
                    if claims.measured_in(one.claim, run)
                ]
                for one in own.values()
            ]
        except ValueError as error:
            raise UserError(str(error)) from None
        order = {slug: place for place, slug in enumerate(slugs)}
        every.sort(key=lambda found: order[found[0].claim.chapter])
        return {found[0].claim.id: found for found in every}

    def own(self):
        """Return this copy's Judged of each claim."""
        return [first for first, *_ in self.judged.values()]

    def counts(self, field):
        """Return {a field of claims: Counter of this copy's verdicts}."""
        counts = collections.defaultdict(collections.Counter)
        for one in self.own():
            counts[getattr(one.claim, field)][one.verdict.verdict] += 1
        return counts

    @property
    def used(self):
        """This copy's verdicts, each once, in the order of SYMBOLS."""
        every = {one.verdict.verdict for one in self.own()}
        return [verdict for verdict in SYMBOLS if verdict in every]

    def address(self, claim, slug=None):
        """Return the link from a page of book/ to a claim's card, or "".

        slug  of a page to lead to in place of the card
        """
        name = self.names.get(slug or claim.chapter)
        end = "" if slug else f"#{anchor(claim.id)}"
        return f"../notebooks/{name}.html{end}" if name else ""

    def render(self, name, **values):
        """Return the Markdown of a page of the book from its template.

        name    as "book/status"; the template is NAME.md
        values  by the names that it uses, beside the FACTS

        Raises UserError where the template names something else.
        """
        try:
            given = FACTS | values
            return templates.render(f"{name}.md", root=self.root, **given)
        except UnicodeDecodeError:
            raise UserError(
                f"{name}.md: not UTF-8; save it as UTF-8"
            ) from None
        except jinja2.TemplateError as error:
            line = getattr(error, "lineno", None)
            place = f"{name}.md" + (f": line {line}" if line else "")
            raise UserError(f"{place}: {error}; mend it there") from None


def _time(run):
    return run.machine["time"]
