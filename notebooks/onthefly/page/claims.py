"""The ledger of published claims: read, validate, judge.

``book/claims.yml`` holds what the sources said and, for each claim of a
written chapter, an ``expect`` entry: the rule by which a measured Quantity
confirms or refutes it.  The rules are the functions named ``_rule_…``.
"""

import dataclasses
import functools
import math
import re

from onthefly import files
from onthefly.errors import UserError
from onthefly.measure import libraries, machine
from onthefly.measure.quantity import Quantity
from onthefly.page import checkout, needs, results

LEDGER = results.ROOT / "book" / "claims.yml"
UNRESOLVED = "not resolved"  # measured, and the measurement leaves it open
SHOWN = "shown"  # by construction or by looking; nothing was at stake
UNMEASURED = "not measurable here"  # something is missing, and named
CLOSE = "close to its bound"
CLOSE_MEANS = f"{CLOSE}: an interval twice as wide would leave it open"
TOO_CLOSE = f"{CLOSE}, and another session may find otherwise"
ENOUGH = 3  # sessions: their interval holds by how much a next one differs
NEAR = 1.25  # the factor of "near" where the ledger gives none
HOLDS = 0.9  # the least share of tries in which what "holds" must hold
AIMS = "onthefly"  # the source of claims that are the book's own aims


@dataclasses.dataclass(frozen=True)
class Claim:
    """One published claim; the fields are those of the ledger's schema."""

    id: str
    source: str
    where: str
    chapter: str
    says: str
    published: str | None
    kind: str
    conditions: str
    needs: tuple[str, ...]
    how_to_check: str = ""
    case: str | None = None
    expect: dict | None = None
    cause: dict | None = None
    reading: dict | None = None

    @property
    def figure(self):
        """The published figure as text."""
        return self.published or "no figure"


@dataclasses.dataclass(frozen=True)
class Ledger:
    """All claims, by id, and the book's chapters, {slug: title}."""

    chapters: dict[str, str]
    sources: dict[str, str]
    claims: dict[str, Claim]

    def of(self, chapter):
        """Return the claims of one chapter, in the ledger's order."""
        return [c for c in self.claims.values() if c.chapter == chapter]


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What a measurement says of a claim.

    today  the Verdict of today's software, where that of then has judged
    close  whether an interval twice as wide would leave it open, so that
           another run may find otherwise
    """

    claim: Claim
    verdict: str
    reason: str = ""
    quantity: object = None
    today: object = None
    close: bool = False

    def row(self):
        """Return the JSON-ready row that scripts/claims.py prints."""
        q = self.quantity
        return {
            "id": self.claim.id,
            "chapter": self.claim.chapter,
            "published": self.claim.figure,
            "measured": q.short if q else "",
            "interval": q.interval if q else "",
            "verdict": self.verdict,
            "today": f"{self.today.quantity}, {self.today.verdict}"
            if self.today
            else "",
            "reason": self.reason,
        }


def _lines(text):
    """Return {claim id: line number} for messages."""
    numbers = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*- id: *(\S+)", line):
            numbers.setdefault(match[1].strip("'\""), number)
    return numbers


def _check_schema(path, data, lines):
    """Raise UserError for the first breach of claims.schema.json."""
    schema = path.with_name("claims.schema.json")
    if fault := files.breach(data, schema):
        where, _, problem = fault.partition(": ")
        place = _place(data, lines, where.split("/"))
        raise UserError(f"{path}: {place}: {problem}; correct the entry")


def _place(data, lines, where):
    """Name the entry at a path of keys: its line, claim and field."""
    if len(where) < 2 or where[0] != "claims":
        return "/".join(where)
    entry = data["claims"][int(where[1])]
    name = entry.get("id") if isinstance(entry, dict) else None
    known = isinstance(name, str) and name in lines
    line = f"line {lines[name]}, " if known else ""
    field = "/".join(where[2:])
    return f"{line}claim {name or where[1]!r}" + (field and f", {field}")


def _check_names(path, data, lines):
    """Raise UserError for a doubled id, unknown chapter or source."""
    bib = files.text(path.with_name("references.bib"))
    known = set(re.findall(r"^@\w+\{([^,\s]+)", bib, re.M))
    seen = set()
    for entry in data["claims"]:
        place = f"{path}: line {lines.get(entry['id'], '?')}, " + (
            f"claim {entry['id']!r}"
        )
        if entry["id"] in seen:
            raise UserError(f"{place}: the id stands twice; rename one")
        seen.add(entry["id"])
        if entry["chapter"] not in data["chapters"]:
            raise UserError(
                f"{place}: unknown chapter {entry['chapter']!r}; "
                "add it under 'chapters' or correct the name"
            )
        if entry.get("case", entry["chapter"]) not in data["chapters"]:
            raise UserError(
                f"{place}: unknown case {entry['case']!r}; "
                "add it under 'chapters' or correct the name"
            )
        if entry["source"] not in known:
            raise UserError(
                f"{place}: source {entry['source']!r} is not in "
                "references.bib; add it there or correct the key"
            )
        if entry["source"] not in data["sources"]:
            raise UserError(
                f"{place}: source {entry['source']!r} has no name for its "
                "cards; add it under 'sources'"
            )


@functools.cache
def load(path=LEDGER):
    """Read and validate the ledger.

    Returns a Ledger.  Raises UserError with one line that names the file,
    the line and claim, and the repair.
    """
    data = files.yaml_data(path)
    lines = _lines(files.text(path))
    _check_schema(path, data, lines)
    _check_names(path, data, lines)
    claims = {
        e["id"]: Claim(**{**e, "needs": tuple(e["needs"])})
        for e in data["claims"]
    }
    return Ledger(data["chapters"], data["sources"], claims)


def written():
    """Return {slug: notebook file} of the chapters that exist."""
    return {checkout.slug_of(path): path for path in checkout.pages()}


# The rules: each takes a Quantity and the claim's `expect`, and returns a
# verdict and a reason.  The interval alone decides: where it spans an edge
# between two verdicts, which of them is right is not resolved.


def _text(value, q):
    """Write a limit in the unit of the Quantity that it judges."""
    return Quantity.exact(value, q.unit).short


def _rule_near(q, expect):
    """A ratio close to the published one, within a factor."""
    value, factor = expect["value"], expect.get("factor", NEAR)
    low, high = value / factor, value * factor
    band = f"{_text(low, q)} to {_text(high, q)}"
    if _spans(q, low, high):
        return UNRESOLVED, f"the interval spans an end of {band}"
    if low <= q.low and q.high <= high:
        return "reproduced", f"within {band}"
    above, outside = q.low > high, f"outside {band}"
    if value == 1:
        return "contradicted", outside
    return _direction(q, value, above, outside)


def _direction(q, value, above, outside):
    """A ratio beyond its band: 1, where it turns round, is an edge, too."""
    if above == (value > 1):
        return "stronger", outside
    if q.high < 1 < value or value < 1 < q.low:
        return "contradicted", "the other way round"
    if q.low >= 1 if value > 1 else q.high <= 1:
        return "weaker", outside
    return UNRESOLVED, f"{outside}: weaker, or the other way round"


def _spans(q, low, high):
    """Tell whether an interval lies neither in nor out of a band."""
    inside = low <= q.low and q.high <= high
    return not (inside or q.high < low or q.low > high)


def _rule_equals(q, expect):
    """A constant of a law, within an absolute tolerance."""
    value, within = expect["value"], expect["within"]
    low, high = value - within, value + within
    band = f"{_text(value, q)} ± {_text(within, q)}"
    if _spans(q, low, high):
        return UNRESOLVED, f"the interval spans an end of {band}"
    if q.high < low or q.low > high:
        return "contradicted", f"outside {band}"
    return "reproduced", f"within {band}"


def _rule_at_most(q, expect):
    """A bound from above."""
    if q.high <= expect["value"]:
        return "reproduced", f"at most {_text(expect['value'], q)}"
    if q.low > expect["value"]:
        return "contradicted", f"above {_text(expect['value'], q)}"
    return UNRESOLVED, f"the interval spans {_text(expect['value'], q)}"


def _rule_at_least(q, expect):
    """A bound from below; down to `weaker`, half of the claim holds."""
    if q.low >= expect["value"]:
        return "reproduced", f"at least {_text(expect['value'], q)}"
    weaker = expect.get("weaker", expect["value"])
    if q.high < weaker:
        return "contradicted", f"below {_text(weaker, q)}"
    if weaker <= q.low and q.high < expect["value"]:
        return "weaker", f"below {_text(expect['value'], q)}"
    return UNRESOLVED, f"the interval spans {_text(expect['value'], q)}"


def _rule_holds(q, expect):
    """A statement that was checked so many times: where it held.

    One failure shows that it does not hold each time; that it never failed
    shows so much only after enough tries.
    """
    least = expect.get("value", HOLDS)
    never_failed = q.high == 1
    if never_failed and q.low >= least:
        return "reproduced", "never failed"
    if not never_failed and q.low > 0.5:
        return "weaker", "held most times"
    if q.high <= 0.5:
        return "contradicted", "held at most half the times"
    return UNRESOLVED, f"may hold in {_text(q.low, q)} to {_text(q.high, q)}"


def _rule_occurs(q, expect):
    """Something that is said to happen: once is enough.

    That it was not seen refutes it where the tries were enough to see what
    happens in the ledger's share of them; where it names none, never.
    """
    if q.low > 0:
        return "reproduced", "it happened"
    least = expect.get("value", 0)
    if q.high == 0:
        return "contradicted", "it does not happen"
    if q.high < least:
        return "contradicted", f"it happens in less than {_text(least, q)}"
    return UNRESOLVED, f"not seen, and may happen in {_text(q.high, q)}"


RULES = {
    "near": _rule_near,
    "equals": _rule_equals,
    "at most": _rule_at_most,
    "at least": _rule_at_least,
    "holds": _rule_holds,
    "occurs": _rule_occurs,
}


def judge(claim, quantity, why=""):
    """Return the Verdict of a measured `quantity` on `claim`.

    A quantity without an interval, one that spans an edge of the rule, and
    one that other programs moved, are "not resolved".  So is one that is
    close to an edge and was taken in fewer than `ENOUGH` sessions, as the
    next session may find otherwise.  What counts all the
    cases that a claim is about, ``of: cases``, has no interval to span, and
    neither has what is but shown; but a case that is itself undecided leaves
    it open between what it may come to.
    Raises ValueError where the claim has no `expect`, another unit, or a
    quantity that another machine measured, or nobody.
    """
    if quantity.origin:
        raise ValueError(f"claim {claim.id!r}: from {quantity.origin}")
    if not claim.expect:
        raise ValueError(f"claim {claim.id!r}: no 'expect' in the ledger")
    unit = claim.expect.get("unit", quantity.unit)
    if unit != quantity.unit:
        raise ValueError(
            f"claim {claim.id!r}: measured in {quantity.unit!r}, "
            f"the ledger expects {unit!r}"
        )
    shown = claim.expect.get("shown", False)
    cases = shown or claim.expect.get("of") == "cases"
    if cases and not quantity.undecided:
        quantity = dataclasses.replace(
            quantity, low=quantity.value, high=quantity.value
        )
    close, said = False, ""
    if not (math.isfinite(quantity.low) and math.isfinite(quantity.high)):
        verdict, reason = UNRESOLVED, "too few samples"
    else:
        rule = RULES[claim.expect["rule"]]
        verdict, reason = rule(quantity, claim.expect)
        close = verdict not in (UNRESOLVED, _wider(quantity, claim.expect))
        said = CLOSE_MEANS if close else ""
        if close and 0 < quantity.sessions < ENOUGH:
            verdict, said = UNRESOLVED, TOO_CLOSE
    if shown and verdict == "reproduced":
        verdict = SHOWN
    reasons = "; ".join(filter(None, [why, reason, said, quantity.note]))
    return Verdict(claim, verdict, reasons, quantity, close=close)


def _wider(q, expect):
    """Return the verdict on a Quantity whose interval is twice as wide.

    A share of tries is judged by what occurred, and stays as it is.
    """
    if expect["rule"] in ("holds", "occurs"):
        twice = q
    else:
        low, high = 2 * q.low - q.value, 2 * q.high - q.value
        twice = dataclasses.replace(q, low=low, high=high)
    return RULES[expect["rule"]](twice, expect)[0]


def unmet(claim, cuda=True, record=None):
    """Return the claim's needs that this machine does not meet.

    cuda    whether the run may use the machine's GPU
    record  of the machine whose measurements are told, where it is another
    """
    if record is not None:
        return [n for n in claim.needs if not needs.was_met(n, record)]
    return [
        need
        for need in claim.needs
        if (needs.on_device(need) and not cuda) or not needs.met(need)
    ]


def lacks(claim):
    """Return the names of the libraries that a claim needs and lacks.

    Those that work without a GPU: the others are missing where none is.
    """
    keys = [need.removesuffix("-gpu") for need in claim.needs]
    needed = [libraries.LIBRARIES.get(key) for key in keys]
    return [x.name for x in needed if x and x.alone and not x.here()]


def why_not(claim, cuda=True, lacking=(), record=None):
    """Say why this run does not judge a claim, and how another one did.

    `lacking` names what turned out to be missing, whether or not the ledger
    says that the claim needs it.  The machine that recorded the claim last
    adds its number and its verdict; both stay that machine's.
    """
    there = machine.has_cuda() if record is None else bool(record["gpus"])
    idle = there and record is None and not cuda
    things = needs.named(unmet(claim, cuda, record), there and not idle)
    if idle and needs.DEVICE in things:
        things[things.index(needs.DEVICE)] += ", which this run leaves idle"
    reasons = [f"needs {' and '.join(things)}"] if things else []
    names = [name for name in lacking if name not in lacks(claim)]
    reasons += [f"needs {name}, which is missing" for name in names]
    wanted = "; ".join(reasons)
    told = [text for text in (wanted, recorded(claim)) if text]
    return "; ".join(told) or "not measured in this run"


def recorded(claim, decided=False):
    """Say what the last recorded run found of a claim, or "".

    decided  the last run that does not leave it open
    """

    def fits(run):
        return (
            claim.id in run.quantities
            and measured_in(claim, run)
            and not unmet(claim, record=run.machine)
            and not (decided and _left_open(claim, run))
        )

    run = results.latest(claim.chapter, fits)
    if run is None:
        return ""
    was = judge_results(claim, run)
    return f"recorded on {run.origin}: {was.quantity}, {was.verdict}"


def _left_open(claim, run):
    return judge_results(claim, run).verdict == UNRESOLVED


def measured_in(claim, own):
    """Tell whether Results hold what the ledger judges a claim by today.

    One that was recorded before the rule took another unit does not.
    """
    quantity = own.quantities.get(claim.id)
    if quantity is None or not claim.expect:
        return claim.id in own.unresolved
    return claim.expect.get("unit", quantity.unit) == quantity.unit


def judge_results(claim, own):
    """Return the Verdict of one claim on a chapter's Results."""
    why = own.reasons.get(claim.id, "")
    if claim.kind == "history":
        return Verdict(claim, "history", why)
    if claim.id in own.quantities:
        today = own.today.get(claim.id)
        return dataclasses.replace(
            judge(claim, own.quantities[claim.id], why),
            today=judge(claim, today) if today else None,
        )
    if claim.id in own.unresolved:
        return Verdict(claim, UNRESOLVED, why)
    return Verdict(claim, UNMEASURED, why or "the page measures it nowhere")


def verdicts(runs, where="in this copy"):
    """Return {claim id: Verdict} of the whole ledger.

    runs   {slug: Results} of the pages that ran
    where  the others did not, in words

    Raises ValueError for a quantity in another unit than the ledger's.
    """
    exist = written()
    return {
        claim.id: _verdict(claim, exist, runs.get(claim.chapter), where)
        for claim in load().claims.values()
    }


def _verdict(claim, exist, run, where):
    if claim.chapter not in exist:
        return Verdict(claim, "chapter not written")
    if claim.kind == "history":
        return Verdict(claim, "history")
    if run is None:
        return Verdict(claim, UNMEASURED, f"the page has no run {where}")
    return judge_results(claim, run)


def machines():
    """Return the names of all machines that have results."""
    folders = (results.results_dir(), results.RECORDED)
    return sorted(
        {p.parent.name for f in folders for p in f.glob("*/*.json")}
    )
