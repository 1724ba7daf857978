"""The scoreboard: every claim, every machine with results, one row each."""

from onthefly.measure.quantity import INTERVAL
from onthefly.page import claims
from onthefly.page.verdicts import SYMBOLS
from rendering import places
from rendering.copy import HERE
from rendering.falls import CAUSES

# What a row can be filtered by: {field of the form: its value in a row}.
KEYS = {
    "source": lambda one: one.claim.source,
    "page": lambda one: one.claim.chapter,
    "verdict": lambda one: one.kind,
    "by": lambda one: one.fall.by,
    "machine": lambda one: one.machine,
}
LABELS = {"source": "Talk", "by": "Cause"}  # the others' are their names
FALLEN = 1000  # before what did not fall, in the order of the falls
OPEN = (claims.UNRESOLVED, claims.UNMEASURED)


def page(copy):
    """Return the page as Markdown.

    copy  a rendering.copy.Copy
    """
    ledger = claims.load()
    rows = [one for runs in copy.judged.values() for one in runs]
    counts = copy.counts("source")
    return copy.render(
        "book/scoreboard",
        counts={s: counts[s] for s in ledger.sources if s in counts},
        used=copy.used,
        choices=_choices(copy, rows),
        labels=LABELS,
        rows=[_row(one, number) for number, one in enumerate(rows)],
        causes=CAUSES,
        copy=copy,
        ledger=ledger,
        symbols=SYMBOLS,
        here=HERE,
        interval=INTERVAL,
    )


def _row(one, number):
    """Return what the template needs of a row, beside the Judged.

    number  of the row in the order of the pages
    """
    slides = places.slides(one.claim)
    first = min(slides[one.claim.source], default="")
    talk = [*claims.load().sources].index(one.claim.source)
    return {
        "one": one,
        "keys": {key: of(one) for key, of in KEYS.items()}
        | {
            "places": " ".join(
                f"{source}:{n}"
                for source, all_ in slides.items()
                for n in all_
            )
        },
        "order": {
            "verdict": [*SYMBOLS].index(one.verdict.verdict),
            "fall": _fallen(one.fall),
            "published": _figure(one.claim),
            "then": _value(one.of_then),
            "today": _value(one.of_today),
            "talk": 1000 * talk + (first or 999),
            "slide": first,
            "page": number,
        },
        "why": _why(one),
    }


def _fallen(fall):
    """Return what sorts a claim by its fall; "" where nothing tells."""
    if fall.by and not fall.rose:
        return round(FALLEN + fall.depth, 4)
    return round(fall.depth, 4) if fall.factor else ""


def _figure(claim):
    """Return the published figure, where the rule holds it; else ""."""
    near = claim.expect and claim.expect["rule"] in ("near", "equals")
    return claim.expect["value"] if near and claim.published else ""


def _value(verdict):
    return verdict.quantity.value if verdict and verdict.quantity else ""


def _why(one):
    """Return the reasons that a row gives for a fall, or for what is open."""
    if not one.fall.by and one.verdict.verdict not in OPEN:
        return []
    cause = one.claim.cause["says"] if one.fall.by and one.claim.cause else ""
    return [text for text in (cause, one.verdict.reason) if text]


def _choices(copy, rows):
    """Return {field of the form: {value: how it is called}}, as rows use."""
    ledger = claims.load()
    used = {key: {of(one) for one in rows} for key, of in KEYS.items()}
    own = ", ".join(sorted({s["machine"] for s in copy.stamps.values()}))
    recorded = sorted(used["machine"] - {HERE})
    names = {
        "source": ledger.sources,
        "page": ledger.chapters,
        "verdict": {
            kind: f"{mark} {verdict}"
            for verdict, (mark, kind) in SYMBOLS.items()
        },
        "by": CAUSES,
        "machine": {HERE: f"this copy ({own})" if own else "this copy"}
        | {name: f"{name}, recorded" for name in recorded},
    }
    return {
        key: {v: name for v, name in of.items() if v in used[key]}
        for key, of in names.items()
    }
