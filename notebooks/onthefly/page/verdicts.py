"""What a page's measurements say of the published claims.

One table at the page's end: what was said, what was published, what was
found, and the verdict.  A row unfolds to who said it and how it was judged.
"""

import dataclasses
import html
import re

from onthefly.measure.quantity import Quantity
from onthefly.page import checkout, claims
from onthefly.page.missing import Missing

FEW_CASES = 30  # of which a row says how many, and no percentage
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
DISTURBED = "other programs used this machine"
NOTHING = "–"  # in the place of a figure that is not there
TODAY_ALONE = "judged by today's software alone"


@dataclasses.dataclass(frozen=True)
class Unresolved:
    """What leaves a claim open that no single Quantity decides."""

    reason: str


@dataclasses.dataclass(frozen=True)
class Unmeasured:
    """Why a claim is not measured, though its needs are met."""

    reason: str


def unresolved(reason):
    """Return what a function under @judge returns for a claim left open."""
    return Unresolved(reason)


def unmeasured(reason=""):
    """Return what a function under @judge returns where nothing judges.

    reason  by default, what the claim needs and is not here
    """
    return Unmeasured(reason)


def anchor(claim_id):
    """Return the id of a claim's place on its page, for links to it."""
    return f"claim-{claim_id}"


class Verdicts:
    """The verdicts of one page.

    results   the results.Results of its run
    ledger    claims.Ledger
    gpu       whether the run may use the machine's GPU
    told      the record of the machine whose measurements are shown; None
              where this machine measures
    disturbed names of the measurements that others disturbed
    """

    def __init__(self, results, ledger, gpu, told, disturbed):
        self._results, self._ledger = results, ledger
        self._gpu, self._told, self._disturbed = gpu, told, disturbed
        self._judged = {}

    @property
    def claims(self):
        """The page's claims, in the ledger's order."""
        return self._ledger.of(self._results.page)

    def judge(self, claim_id, outcome, why=""):
        """Judge a claim by what its function returned; return the Verdict.

        outcome  a Quantity; a pair, by the software of the claim's time and
                 by today's; a list of these, of which the first that this
                 page's machine measured judges; Unresolved, Unmeasured or
                 Missing
        why      what the ledger does not say of how it was judged

        Raises KeyError for a claim that is not this page's.
        """
        claim, why = self._claim(claim_id), why.rstrip(".")
        if isinstance(outcome, Unresolved) and self._unmet(claim):
            return self._cannot_here(claim)
        if isinstance(outcome, Unresolved):
            self._results.unresolved.append(claim_id)
            return self._cannot(claim, outcome.reason)
        if isinstance(outcome, Unmeasured):
            reason = outcome.reason or self._why_not(claim)
            return self._cannot(claim, "; ".join(filter(None, (reason, why))))
        quantity, today = _first(outcome)
        if quantity is None and today is not None:
            quantity, today = today, None
            why = "; ".join(filter(None, (TODAY_ALONE, why)))
        self._note_groups(claim_id, outcome, quantity, today)
        if quantity is None or self._unmet(claim):
            return self._cannot_here(claim, _reasons(outcome))
        if quantity.groups & self._disturbed:
            self._results.unresolved.append(claim_id)
            return self._cannot(claim, f"{DISTURBED}; {self._why_not(claim)}")
        self._results.quantities[claim_id] = quantity
        if why:
            self._results.reasons[claim_id] = why
        if today is not None:
            self._results.today[claim_id] = today
        return self._keep(self._settled(self._verdict(claim)))

    def _note_groups(self, claim_id, outcome, quantity, today):
        used = [q for q in (quantity, today) if q is not None]
        used = used or [q for q in _flat(outcome) if isinstance(q, Quantity)]
        groups = set().union(*(q.groups for q in used))
        self._results.rests[claim_id] = sorted(groups)

    def close(self, left_out=()):
        """Give a verdict to each claim that no function judged.

        They are history, need what is not here, or have no rule yet.
        Raises ValueError for another one.

        left_out  names of libraries for want of which cells were left out
        """
        for claim in self.claims:
            if claim.id in self._judged:
                continue
            unmet = self._unmet(claim)
            if claim.kind != "history" and claim.expect and not unmet:
                if not left_out:
                    raise ValueError(
                        f"claim {claim.id!r} is judged by no function of the "
                        f"page's module; repair: @judge({claim.id!r})"
                    )
                self._cannot_here(claim, left_out)
            elif unmet and claims.lacks(claim):
                self._cannot_here(claim)
            else:
                if unmet:
                    why = self._why_not(claim)
                    self._results.reasons[claim.id] = why
                self._keep(self._verdict(claim))

    def _claim(self, claim_id):
        claim = self._ledger.claims.get(claim_id)
        if claim is None or claim.chapter != self._results.page:
            page = self._results.page
            raise KeyError(f"claim {claim_id!r} is not of {page!r}")
        return claim

    def _unmet(self, claim):
        return claims.unmet(claim, self._gpu, self._told)

    def _why_not(self, claim, lacking=()):
        return claims.why_not(claim, self._gpu, lacking, self._told)

    def _cannot_here(self, claim, lacking=()):
        """Say that a claim is not measured for want of what it needs."""
        for what in [*claims.lacks(claim), *lacking]:
            noted = self._results.missing.setdefault(what, [])
            if claim.id not in noted:
                noted.append(claim.id)
        return self._cannot(claim, self._why_not(claim, lacking))

    def _cannot(self, claim, reason):
        self._results.reasons[claim.id] = reason
        return self._keep(self._verdict(claim))

    def _verdict(self, claim):
        return claims.judge_results(claim, self._results)

    def _settled(self, verdict):
        """Return a Verdict; one left open says what a recorded run found."""
        if verdict.verdict != claims.UNRESOLVED or self._told is not None:
            return verdict
        known = claims.recorded(verdict.claim, decided=True)
        reasons = filter(None, [verdict.reason, known])
        return dataclasses.replace(verdict, reason="; ".join(reasons))

    def _keep(self, verdict):
        self._judged[verdict.claim.id] = verdict
        return verdict

    def as_html(self):
        """Return the table of all verdicts, "" for a page without claims."""
        order = [c.id for c in self.claims if c.id in self._judged]
        verdicts = [self._judged[name] for name in order]
        return table(verdicts, self._ledger.sources) if verdicts else ""


def _first(outcome):
    """Return (Quantity, today's or None) of the first that was measured."""
    pairs = outcome if isinstance(outcome, list) else [outcome]
    alone = None
    for pair in pairs:
        then, today = pair if isinstance(pair, tuple) else (pair, None)
        today = today if _is_own(today) else None
        if _is_own(then):
            return then, today
        alone = alone or today
    return None, alone


def _is_own(q):
    """Tell whether it is a Quantity that the page's machine measured."""
    return isinstance(q, Quantity) and not q.origin


def _flat(outcome):
    """Yield what stands in an outcome's list and pairs."""
    for pair in outcome if isinstance(outcome, list) else [outcome]:
        yield from pair if isinstance(pair, tuple) else [pair]


def _reasons(outcome):
    """Return the names of libraries that an outcome is missing for."""
    reasons = [q.reason for q in _flat(outcome) if isinstance(q, Missing)]
    end = " is missing"
    return [r.removesuffix(end) for r in reasons if r.endswith(end)]


def _text(value):
    return html.escape(str(value))


def mark(verdict):
    """Return a verdict with its symbol."""
    return f"{SYMBOLS[verdict.verdict][0]} {verdict.verdict}"


def _judged_by(claim):
    """Return how a claim was judged, from the ledger's reading of it."""
    said = claim.reading
    own = "the claim's own quantity"
    measures = own if said["measures"] == "own" else said["measures"]
    part = said["part"]
    if part in ("whole", "half", "a part", "none"):
        part += " of it"
    return (
        f"Judged: {measures}; by {said['by']}; {part}; cases chosen by "
        f"{said['cases']}. Against it would speak: {said['against']}."
    )


def table(verdicts, sources):
    """Return the HTML of a table of Verdicts.

    sources  {bibliography key: the source's name}
    """
    then = any(map(_of_then, verdicts))
    head = ["What was said", "Published"]
    head += ["Software of the time", "Today's"] if then else ["Measured"]
    cells = "".join(f'<th scope="col">{h}</th>' for h in [*head, "Verdict"])
    rows = "".join(_row(v, sources, then) for v in verdicts)
    return (
        '<div class="otf-scroll" tabindex="0" role="region" aria-label="What '
        'the talks said"><table class="otf-table otf-claims"><thead><tr>'
        f"{cells}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _of_then(verdict):
    """Return the Quantity by the software of the claim's time, or None."""
    alone = (verdict.claim.reading or {}).get("software") == "then"
    return verdict.quantity if verdict.today or alone else None


def _of_today(verdict):
    """Return the Quantity by today's software, or None."""
    if verdict.today:
        return verdict.today.quantity
    return None if _of_then(verdict) else verdict.quantity


def _row(verdict, sources, then):
    """Return the HTML of a claim: its figures, and how it was judged."""
    claim = verdict.claim
    found = [verdict.quantity]
    heads = ["published", "here"]
    if then:
        found = [_of_then(verdict), _of_today(verdict)]
        heads = ["published", "then", "today"]
    cells = zip(heads, [claim.figure, *map(_counted, found)], strict=True)
    figures = "".join(
        f'<td data-head="{head}"{_empty(cell)}>{_text(cell)}</td>'
        for head, cell in cells
    )
    _, kind = SYMBOLS[verdict.verdict]
    return (
        f'<tr class="claim claim--{kind}"><td>{_text(claim.says)}</td>'
        f'{figures}<td class="claim-verdict">{_words(verdict)}</td></tr>'
        f'<tr class="claim-how"><td colspan="{len(heads) + 2}">'
        f"{_how(verdict, sources)}</td></tr>"
    )


def _empty(cell):
    return ' class="claim-none"' if cell == NOTHING else ""


def _words(verdict):
    """Return the verdict, and today's where it is another one."""
    words = _text(mark(verdict))
    if verdict.close:
        words += f'<br><span class="claim-close">{claims.CLOSE}</span>'
    if verdict.today and verdict.today.verdict != verdict.verdict:
        _, kind = SYMBOLS[verdict.today.verdict]
        today = _text(mark(verdict.today))
        words += f'<br><span class="claim--{kind}">today {today}</span>'
    return words


def _how(verdict, sources):
    """Return who made a claim and how it was judged, folded."""
    claim = verdict.claim
    where = claim.where
    for key, name in sources.items():
        where = where.replace(key, name)
    lines = [_text(verdict.reason)] if verdict.reason else []
    if claim.reading:
        lines.append(_text(_judged_by(claim)))
    case = claims.written().get(claim.case)
    if case and claim.case != claim.chapter:
        title = claims.load().chapters[claim.case]
        address = f"../{checkout.name_of(case)}.html"
        lines.append(f'The cause: <a href="{address}">{_text(title)}</a>.')
    why = "".join(f"<p>{line}</p>" for line in lines)
    # The id is within what is folded: a browser unfolds it for a link.
    return (
        "<details><summary>How it was judged</summary>"
        f'<p id="{anchor(claim.id)}">{_text(sources[claim.source])}, '
        f"{_text(where)}</p>{why}</details>"
    )


def _counted(q):
    """Return a claim's figure; of a few cases, how many of them."""
    if q is None:
        return NOTHING
    match = re.match(
        r"\d+ of (\d+)\b(, \d+ not (resolved|measured))*", q.note
    )
    if not match or int(match[1]) > FEW_CASES:
        return q
    return f"{match[0]} ({q.mark})" if q.mark else match[0]
