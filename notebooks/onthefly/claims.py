"""The ledger of published claims: read, validate, judge.

``book/claims.yml`` holds what the sources said and, for each claim of a
written chapter, an ``expect`` entry: the rule by which a measured Quantity
confirms or refutes it.  The rules are the functions named ``_rule_…``.
"""

import dataclasses
import functools
import json
import math
import re

from onthefly import libraries, machine, results
from onthefly.quantity import Quantity
from onthefly.refused import Refused

LEDGER = results.ROOT / "book" / "claims.yml"
VERDICTS = (
    "reproduced",
    "stronger",
    "weaker",
    "contradicted",
    "not measurable here",
    "history",
    "chapter not written",
)
UNMEASURED = "not measurable here"
GPU = {"gpu", "tensorflow-gpu"}  # needs that a GPU meets


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
    how_to_check: str
    expect: dict | None = None

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
    """What a measurement says of a claim."""

    claim: Claim
    verdict: str
    reason: str = ""
    quantity: object = None

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
            "reason": self.reason,
        }


def _lines(text):
    """Return {claim id: line number} for messages."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*- id: *(\S+)", line):
            found.setdefault(match[1].strip("'\""), number)
    return found


def _parse(path):
    """Return the YAML file's text and data, or raise Refused."""
    import yaml

    # The C parser where PyYAML has it: as safe, and ten times faster.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = path.read_text(encoding="utf-8")
        return text, yaml.load(text, Loader=loader)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", error)
        raise Refused(f"{path}:{place} not YAML: {problem}") from None


def _check_schema(path, data, lines):
    """Raise Refused for the first breach of claims.schema.json."""
    import fastjsonschema

    schema = json.loads(
        path.with_name("claims.schema.json").read_text(encoding="utf-8")
    )
    try:
        fastjsonschema.compile(schema)(data)
    except fastjsonschema.JsonSchemaValueException as error:
        place = _place(data, lines, error.path[1:])
        problem = error.message.removeprefix(error.name).strip()
        raise Refused(
            f"{path}: {place}: {problem}; correct the entry"
        ) from None


def _place(data, lines, where):
    """Name the entry at a path of keys: its line, claim and field."""
    if len(where) < 2 or where[0] != "claims":
        return "/".join(where) or "the top level"
    entry = data["claims"][int(where[1])]
    name = entry.get("id") if isinstance(entry, dict) else None
    line = f"line {lines[name]}, " if name in lines else ""
    field = "/".join(where[2:])
    return f"{line}claim {name or where[1]!r}" + (field and f", {field}")


def _check_names(path, data, lines):
    """Raise Refused for a doubled id, unknown chapter or source."""
    bib = path.with_name("references.bib").read_text(encoding="utf-8")
    known = set(re.findall(r"^@\w+\{([^,\s]+)", bib, re.M))
    seen = set()
    for entry in data["claims"]:
        place = f"{path}: line {lines.get(entry['id'], '?')}, " + (
            f"claim {entry['id']!r}"
        )
        if entry["id"] in seen:
            raise Refused(f"{place}: the id stands twice; rename one")
        seen.add(entry["id"])
        if entry["chapter"] not in data["chapters"]:
            raise Refused(
                f"{place}: unknown chapter {entry['chapter']!r}; "
                "add it under 'chapters' or correct the name"
            )
        if entry["source"] not in known:
            raise Refused(
                f"{place}: source {entry['source']!r} is not in "
                "references.bib; add it there or correct the key"
            )


@functools.cache
def load(path=LEDGER):
    """Read and validate the ledger.

    Returns a Ledger.  Raises Refused with one line that names the file,
    the line and claim, and the repair.
    """
    text, data = _parse(path)
    lines = _lines(text)
    _check_schema(path, data, lines)
    _check_names(path, data, lines)
    claims = {
        e["id"]: Claim(**{**e, "needs": tuple(e["needs"])})
        for e in data["claims"]
    }
    return Ledger(data["chapters"], data["sources"], claims)


def written():
    """Return {slug: notebook file} of the chapters that exist."""
    found = {}
    for path in sorted((results.ROOT / "notebooks").glob("[0-9]*_*.ipynb")):
        found[path.stem.split("_", 1)[1].replace("_", "-")] = path
    return found


# The rules: each takes a Quantity and the claim's `expect`, and returns a
# verdict and a reason.


def _text(value, q):
    """Write a limit in the unit of the Quantity that it judges."""
    return Quantity.exact(value, q.unit).short


def _rule_near(q, expect):
    """A ratio or time close to the published one, within a factor."""
    value, factor = expect["value"], expect.get("factor", 1.25)
    low, high = value / factor, value * factor
    band = f"{_text(low, q)} to {_text(high, q)}"
    if q.low < low and q.high > high:
        return UNMEASURED, f"not resolved: wider than {band}"
    if q.low <= high and q.high >= low:
        if low <= q.value <= high:
            return "reproduced", f"within {band}"
        return (
            UNMEASURED,
            f"not resolved: the interval spans an end of {band}",
        )
    above = q.low > high
    ratio = q.unit == "×"
    if ratio and value == 1:
        return "contradicted", f"outside {band}"
    if ratio and (q.value - 1) * (value - 1) < 0:
        return "contradicted", "the other way round"
    more = above if value > 1 or not ratio else not above
    return ("stronger" if more else "weaker"), f"outside {band}"


def _rule_equals(q, expect):
    """A constant of a law, within an absolute tolerance."""
    value, within = expect["value"], expect["within"]
    low, high = value - within, value + within
    if q.low < low and q.high > high:
        return UNMEASURED, f"not resolved: wider than ±{_text(within, q)}"
    band = f"{_text(value, q)} ± {_text(within, q)}"
    if q.high < low or q.low > high:
        return "contradicted", f"outside {band}"
    if low <= q.value <= high:
        return "reproduced", f"within {band}"
    return UNMEASURED, f"not resolved: the interval spans an end of {band}"


def _rule_at_most(q, expect):
    """A bound from above."""
    if q.high <= expect["value"]:
        return "reproduced", f"at most {_text(expect['value'], q)}"
    if q.low > expect["value"]:
        return "contradicted", f"above {_text(expect['value'], q)}"
    return UNMEASURED, f"not resolved: spans {_text(expect['value'], q)}"


def _rule_at_least(q, expect):
    """A bound from below."""
    if q.low >= expect["value"]:
        return "reproduced", f"at least {_text(expect['value'], q)}"
    if q.high < expect["value"]:
        return "contradicted", f"below {_text(expect['value'], q)}"
    return UNMEASURED, f"not resolved: spans {_text(expect['value'], q)}"


def _rule_holds(q, expect):
    """A statement checked so many times: the share in which it held."""
    if q.value == 1:
        return "reproduced", "held each time"
    if q.value == 0:
        return "contradicted", "held at no time"
    if q.value > 0.5:
        return "weaker", "held most times"
    return "contradicted", "held at most half the times"


def _rule_occurs(q, expect):
    """Something that is said to happen: how often it did."""
    if q.value > 0:
        return "reproduced", "it happened"
    return "contradicted", "it did not happen"


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

    A quantity without an interval, or one that spans the rule's limit, is
    "not measurable here", with "not resolved" as its reason.
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
    if not (math.isfinite(quantity.low) and math.isfinite(quantity.high)):
        verdict, reason = UNMEASURED, "not resolved: too few samples"
    else:
        rule = RULES[claim.expect["rule"]]
        verdict, reason = rule(quantity, claim.expect)
        if quantity.contended and verdict != "reproduced":
            verdict = UNMEASURED
            reason = "not resolved: other programs used the machine"
    reasons = [why, reason, quantity.note]
    return Verdict(claim, verdict, "; ".join(filter(None, reasons)), quantity)


def unmet(claim, cuda=True):
    """Return the claim's needs that this machine does not meet.

    cuda  whether the run may use the machine's GPU
    """
    refused = () if cuda else GPU
    return [
        need
        for need in claim.needs
        if need in refused or not machine.available(need)
    ]


def lacks(claim):
    """Return the Libraries that a claim needs and that are missing.

    Those that work without a GPU: the others are missing where none is.
    """
    keys = [need.removesuffix("-gpu") for need in claim.needs]
    needed = [libraries.LIBRARIES.get(key) for key in keys]
    return [x for x in needed if x and x.alone and not x.here()]


def why_not(claim, cuda=True, library=None):
    """Say why this run does not judge a claim, and how another one did.

    `library` is one that turned out to be missing, whether or not the ledger
    says that the claim needs it.  The machine that recorded the claim last
    adds its number and its verdict; both stay that machine's.
    """
    missing = unmet(claim, cuda)
    needs = f"needs {', '.join(missing)}" if missing else ""
    if library and library not in lacks(claim):
        needs = "; ".join(filter(None, [needs, f"{library.name} is missing"]))
    old = results.latest(claim.chapter, lambda r: claim.id in r.quantities)
    if old:
        was = judge_results(claim, old)
        said = f"recorded on {old.origin}: {was.quantity}, {was.verdict}"
        return "; ".join(filter(None, [needs, said]))
    if GPU & set(missing):
        return f"not measured yet: no device ({needs})"
    return needs or "not measured in this run"


def judge_results(claim, found):
    """Return the Verdict of one claim on a chapter's Results."""
    why = found.reasons.get(claim.id, "")
    if claim.kind == "history":
        return Verdict(claim, "history", why)
    if claim.id in found.quantities:
        return judge(claim, found.quantities[claim.id], why)
    return Verdict(
        claim, UNMEASURED, why or "the chapter measures it nowhere"
    )


def verdicts(machine_name=None, chapter=None):
    """Return the Verdict of every claim (of one chapter) on one machine.

    `machine_name` is a results folder's name; by default this machine's.
    Raises ValueError for an unknown chapter or machine, Refused for files
    that cannot be read.
    """
    ledger = load()
    if chapter is not None and chapter not in ledger.chapters:
        known = ", ".join(ledger.chapters)
        raise ValueError(f"unknown chapter {chapter!r}; there are: {known}")
    here = machine_name or machine.slug()
    exist = written()
    found = {slug: results.find(slug, here).get(here) for slug in exist}
    if machine_name and not any(found.values()):
        raise ValueError(
            f"no results of machine {machine_name!r}; there are: "
            + (", ".join(machines()) or "none, run the book first")
        )
    return [
        _verdict(c, exist, found.get(c.chapter), here)
        for c in ledger.claims.values()
        if chapter in (None, c.chapter)
    ]


def _verdict(claim, exist, found, here):
    if claim.chapter not in exist:
        return Verdict(claim, "chapter not written")
    if claim.kind == "history":
        return Verdict(claim, "history")
    if found is None:
        return Verdict(claim, UNMEASURED, f"the chapter has no run on {here}")
    return judge_results(claim, found)


def machines():
    """Return the names of all machines that have results."""
    folders = (results.results_dir(), results.RECORDED)
    return sorted(
        {p.parent.name for f in folders for p in f.glob("*/*.json")}
    )
