"""What every run with results says of every claim.

A run is this copy's, or one that is kept with the book; of these, each
machine has one for a page.
"""

import dataclasses
import html

from onthefly import claims, results
from onthefly.page import SYMBOLS, anchor

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
    def machine(self):
        """The machine's name, or HERE."""
        return HERE if self.here else self.run.machine["slug"]

    @property
    def kind(self):
        """The verdict in one word."""
        return SYMBOLS[self.verdict.verdict][1]

    @property
    def mark(self):
        """The verdict with its mark."""
        return f"{SYMBOLS[self.verdict.verdict][0]} {self.verdict.verdict}"

    @property
    def found(self):
        """What was measured, with its interval; why, where nothing was."""
        if q := self.verdict.quantity:
            return str(q)
        return self.verdict.reason

    @property
    def origin(self):
        """Whose the run is: machine, day and preset."""
        copy = "" if self.here else ", recorded"
        return f"{self.run.origin}{copy}" if self.run else ""


def every(stamps):
    """Return {claim id: [Judged, ...]} of the whole ledger.

    This copy's verdict comes first, for each claim; where the page did not
    run here, it is that there is none.  Those of recorded runs
    that measured the claim follow, the newest first.

    stamps  {chapter stem: stamp}, in the book's order, which is the claims'

    Raises ValueError for a machine without results, Refused for files that
    cannot be read.
    """
    ran = {stamp["chapter"]: stamp["machine"] for stamp in stamps.values()}
    found = {}
    for slug in dict.fromkeys([*ran, *claims.load().chapters]):
        own, own_verdicts = None, claims.without_run(slug)
        if slug in ran:
            own = results.find(slug, ran[slug]).get(ran[slug])
            own_verdicts = claims.verdicts(ran[slug], slug)
        kept = _kept(slug, own)
        for verdict in own_verdicts:
            found[verdict.claim.id] = [
                Judged(verdict, own, True),
                *_recorded(verdict.claim, kept),
            ]
    return found


def _kept(slug, own):
    """Return a page's recorded Results, `own` left out, the newest first."""
    when = own.machine["time"] if own else None
    kept = [r for r in results.recorded(slug) if r.machine["time"] != when]
    return sorted(kept, key=lambda r: r.machine["time"], reverse=True)


def _recorded(claim, kept):
    return [
        Judged(claims.judge_results(claim, run), run, False)
        for run in kept
        if claim.id in run.quantities or claim.id in run.unresolved
    ]


def here(judged):
    """Return {chapter: [row of this copy's verdict, ...]}.

    judged  as `every` returns it
    """
    found = {slug: [] for slug in claims.load().chapters}
    for first, *_ in judged.values():
        found[first.verdict.claim.chapter].append(first.verdict.row())
    return found


def link(claim, stamps, text, slug=None):
    """Return an HTML link to a claim's card, or the text where none is.

    stamps  {chapter stem: stamp} of the pages in this book
    slug    of a page to lead to in place of the card
    """
    stems = {stamp["chapter"]: stem for stem, stamp in stamps.items()}
    text = html.escape(text)
    if (slug or claim.chapter) not in stems:
        return text
    page = f"../notebooks/{stems[slug or claim.chapter]}.html"
    end = "" if slug else f"#{anchor(claim.id)}"
    return f'<a href="{page}{end}">{text}</a>'
