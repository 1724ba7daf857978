"""The page of trends, from the runs that a store keeps."""

from keeping import commits
from onthefly import claims, figures
from rendering import blocks
from rendering.trends import chart
from rendering.trends.lines import LEAST, NEEDED, histories

TEXT = """\
(trends)=
# How the ratios moved

Did a page's headline ratio move, and since which run? The build writes this
page from the runs that a store keeps. Whether two runs really differ,
{{ref}}`regression` tells.

{body}
"""
EMPTY = (
    "This copy names no store, so there is nothing to show. These commands "
    "keep each page's results in one, and draw them here:\n\n"
    "    .venv/bin/python scripts/run.py --store FOLDER\n"
    "    .venv/bin/python scripts/build_book.py --store FOLDER\n\n"
    "FOLDER may be a URL, as s3://… with the package `s3fs` or gs://… with "
    "`gcsfs`. `ONTHEFLY_STORE` names a store once for all commands. "
    "`scripts/history.py` adds runs made earlier, lists and checks what is "
    "kept, and writes it for `asv publish`."
)
NOTHING = "The store keeps no run with a ratio yet."
WHAT = f"""\
## How to read it

A page's headline is one ratio, and no list names it: the first ratio (×) that
a claim of the page is judged by, in the page's order; on a page without one,
how many times as fast the second way of its first measurement is as the
first, at the largest size that both have. The newest run says which it is.

Each point is a run, with the interval it had by itself. Runs of two machines,
or of two presets, are different lines. A step, which a dotted line marks, is
where `asv.step_detect` finds another level, with at least {LEAST} runs on
each side; a single run that is off is no step. A step says that something
changed, the machine included, and not what: its commits and versions are in
the table.
"""


def page(stamps, kept):
    """Return the page as Markdown.

    stamps  {chapter stem: stamp}, in the book's order
    kept    the Store of runs, or None
    """
    if kept is None:
        return TEXT.format(body=EMPTY)
    entries, faults = kept.entries()
    found = histories(entries)
    stems = {stamp["chapter"]: stem for stem, stamp in stamps.items()}
    order = {slug: k for k, slug in enumerate(stems)}
    pages = sorted(
        found, key=lambda slug: (order.get(slug, len(order)), slug)
    )
    parts = [_tally(entries, found, faults)]
    if found:
        parts += [_changes(found, pages), WHAT]
    parts += [_section(found[slug], stems) for slug in pages]
    if others := {e.page: None for e in entries if e.page not in found}:
        titles = ", ".join(blocks.plain(_title(slug)) for slug in others)
        parts += ["## Kept, and without a ratio", f"{titles}."]
    return TEXT.format(body="\n\n".join(parts))


def _tally(entries, found, faults):
    """Say how many runs there are, and what is left out."""
    if not found:
        text = NOTHING
    else:
        machines = {(e.machine, e.id) for e in entries}
        text = (
            f"The store keeps {_many(entries, 'run')}, from "
            f"{entries[0].day} to {entries[-1].day}, by "
            f"{_many(machines, 'machine')}, with a ratio for "
            f"{_many(found, 'page')}."
        )
    if faults:
        text += (
            f" Left out: {_many(faults, 'entry', 'entries')} that cannot be "
            "read; `scripts/history.py check` names them."
        )
    return text


def _many(things, one, more=None):
    """Return a count and its noun."""
    count = len(things)
    return f"{count} {one if count == 1 else more or one + 's'}"


def _changes(found, pages):
    """Return the table of all steps, the newest first."""
    steps = [
        (after.points[0].entry, before, after, line)
        for slug in pages
        for line in found[slug].lines
        for before, after in line.steps()
    ]
    if not steps:
        most = max(len(x.points) for h in found.values() for x in h.lines)
        if most < NEEDED:
            return f"No line has the {NEEDED} runs yet that a step needs."
        return "**No ratio has a step.**"
    steps.sort(key=lambda step: step[0].moment, reverse=True)
    rows = [
        [f"[{blocks.plain(_title(entry.page))}](#trend-{entry.page})",
         blocks.plain(line.name), entry.day, chart.times(before.level),
         chart.times(after.level), _between(before, after)]
        for entry, before, after, line in steps
    ]  # fmt: skip
    head = ["Page", "Line", "Since", "Before", "After", "Commits"]
    return "## Steps\n\n" + blocks.table(head, rows)


def _between(before, after):
    """Return the commits of the last run before and the first after."""
    names = [
        commits.short(point.entry.commit) or "?"
        for point in (before.points[-1], after.points[0])
    ]
    return f"`{names[0]}` to `{names[1]}`"


def _title(slug):
    return claims.load().chapters.get(slug, slug)


def _section(history, stems):
    """Return the section of a page: what its ratio is, and the chart."""
    stem = stems.get(history.page)
    link = f" Page: {{doc}}`/notebooks/{stem}`." if stem else ""
    picture = figures.as_html(chart.chart(history), f"trend-{history.page}")
    return "\n\n".join(
        [
            f"(trend-{history.page})=",
            f"## {blocks.plain(_title(history.page))}",
            f"{_words(history)}{link}",
            blocks.raw(picture),
        ]
    )


def _words(history):
    """Say what the ratio is of."""
    kind, *names = history.of
    if kind == "claim":
        claim = claims.load().claims.get(names[0])
        said = blocks.plain(claim.says) if claim else f"`{names[0]}`"
        return f"The ratio that this claim is judged by: {said}"
    group, slow, fast = map(blocks.plain, names)
    sizes = {p.ratio.size for x in history.lines for p in x.points}
    at = ", ".join(f"{n:,}" for n in sorted(sizes - {None}))
    return (
        f"In “{group}”: the time of “{slow}” over that of “{fast}”"
        + f", at size {at}" * bool(at)
        + "."
    )
