"""The scoreboard: every claim, every machine with results, one row each."""

from onthefly import claims
from onthefly.page import SYMBOLS
from onthefly.quantity import INTERVAL
from rendering.copy import HERE

# What a row can be filtered by: {field of the form: its value in a row}.
KEYS = {
    "source": lambda one: one.claim.source,
    "page": lambda one: one.claim.chapter,
    "verdict": lambda one: one.kind,
    "machine": lambda one: one.machine,
}


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
        rows=[(one, {k: of(one) for k, of in KEYS.items()}) for one in rows],
        copy=copy,
        ledger=ledger,
        symbols=SYMBOLS,
        here=HERE,
        interval=INTERVAL,
    )


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
        "machine": {HERE: f"this copy ({own})" if own else "this copy"}
        | {name: f"{name}, recorded" for name in recorded},
    }
    return {
        key: {v: name for v, name in of.items() if v in used[key]}
        for key, of in names.items()
    }
