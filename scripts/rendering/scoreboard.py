"""The scoreboard: every claim, every machine with results, one row each."""

import collections
import html

from onthefly import claims
from onthefly.page import SYMBOLS
from onthefly.quantity import INTERVAL
from rendering import blocks, verdicts

# Without the list of its sections, the page has room for its table.
TEXT = """\
---
html_theme.sidebar_secondary.remove: true
---
(scoreboard)=
# The scoreboard

The build writes this page from the results: what became of each claim that
the ledger holds. A claim has a row for this copy, and one more for each
recorded run that measured it. {{doc}}`measuring` says how a verdict is
reached, {{doc}}`what_changed` why claims came out otherwise, where that was
found.

## By source

What this copy says of the claims of each source.

{sources}

## Every claim

{every}
"""
SCRIPT = '<script src="../_static/scoreboard.js" defer></script>'
# What a row can be filtered by: {field of the form: its value in a row}.
KEYS = {
    "source": lambda one: one.verdict.claim.source,
    "page": lambda one: one.verdict.claim.chapter,
    "verdict": lambda one: one.kind,
    "machine": lambda one: one.machine,
}
HEAD = ["Claim", "Published", f"Measured ({INTERVAL})", "Verdict", "Run"]


def page(stamps, judged):
    """Return the page as Markdown.

    stamps  {chapter stem: stamp}, in the book's order
    judged  {claim id: [Judged, ...]}, as `verdicts.every` returns it
    """
    rows = [one for found in judged.values() for one in found]
    every = _form(stamps, rows) + _table(stamps, rows) + SCRIPT
    return TEXT.format(
        sources=blocks.raw(_sources(rows)), every=blocks.raw(every)
    )


def _sources(rows):
    """Return the count of this copy's verdicts for each source."""
    counts = collections.defaultdict(collections.Counter)
    for one in rows:
        if one.here:
            source = one.verdict.claim.source
            counts[source][one.verdict.verdict] += 1
    named = claims.load().sources
    used = [v for v in SYMBOLS if any(counts[s][v] for s in counts)]
    head = "".join(
        f'<th scope="col">{text}</th>'
        for text in ["Source", "Claims", *(_mark(v) for v in used)]
    )
    body = "".join(
        f'<tr><th scope="row">{html.escape(named[source])}</th>'
        f"<td>{_count(counts[source].total(), source)}</td>"
        + "".join(
            f"<td>{_count(counts[source][v], source, v)}</td>" for v in used
        )
        + "</tr>"
        for source in named
        if source in counts
    )
    return (
        '<div class="otf-scroll" tabindex="0" role="region" '
        'aria-label="Verdicts of each source">'
        '<table class="otf-table otf-counts">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _mark(verdict):
    return f"{SYMBOLS[verdict][0]} {verdict}"


def _count(number, source, verdict=None):
    """Return a number that leads to the rows which it counts."""
    if not number:
        return "–"
    part = f"&amp;verdict={SYMBOLS[verdict][1]}" if verdict else ""
    hash_ = f"#source={source}{part}&amp;machine={verdicts.HERE}"
    return f'<a href="{hash_}">{number}</a>'


def _form(stamps, rows):
    """Return the filters; without its script, the page does not show them."""
    ledger = claims.load()
    used = {
        key: {of(one) for one in rows} for key, of in KEYS.items()
    }  # what the rows have of each key
    named = {
        "source": ledger.sources,
        "page": ledger.chapters,
        "verdict": {kind: f"{mark} {verdict}"
                    for verdict, (mark, kind) in SYMBOLS.items()},
        "machine": _machines(stamps, used["machine"]),
    }  # fmt: skip
    selects = "".join(
        _select(key, {k: v for k, v in names.items() if k in used[key]})
        for key, names in named.items()
    )
    return (
        '<form class="otf-filter" aria-label="Filter the claims" hidden>'
        f'{selects}<label>Text <input name="text" type="search"></label>'
        '<button type="reset">Show all</button>'
        '<output aria-live="polite"></output></form>'
    )


def _machines(stamps, used):
    """Return {name: how the form calls a machine}; this copy comes first."""
    own = ", ".join(sorted({stamp["machine"] for stamp in stamps.values()}))
    kept = sorted(used - {verdicts.HERE})
    copy = f"this copy ({own})" if own else "this copy"
    return {verdicts.HERE: copy} | {k: f"{k}, recorded" for k in kept}


def _select(key, names):
    """Return a labelled choice among names, {value: text}, or all."""
    options = "".join(
        f'<option value="{value}">{html.escape(text)}</option>'
        for value, text in names.items()
    )
    return (
        f'<label>{key.capitalize()} <select name="{key}">'
        f'<option value="">all</option>{options}</select></label>'
    )


def _table(stamps, rows):
    head = "".join(f'<th scope="col">{html.escape(h)}</th>' for h in HEAD)
    body = "".join(_row(stamps, one) for one in rows)
    return (
        '<table class="otf-score"><thead><tr>'
        f"{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _row(stamps, one):
    claim, ledger = one.verdict.claim, claims.load()
    keys = "".join(f' data-{key}="{of(one)}"' for key, of in KEYS.items())
    title = verdicts.link(claim, stamps, ledger.chapters[claim.chapter])
    figure = html.escape(claim.published or "")
    return (
        f"<tr{keys}><td>{html.escape(claim.says)}<small>"
        f"{html.escape(ledger.sources[claim.source])} · {title}</small></td>"
        f"<td>{figure}</td><td>{html.escape(one.found)}</td>"
        f'<td class="claim--{one.kind}">{one.mark}</td>'
        f"<td>{html.escape(one.origin)}</td></tr>"
    )
