"""A comparison as one HTML page that needs no other file."""

from comparing.quiet import LIMIT
from comparing.ranks import NUMBER, UNLIKE
from comparing.words import HEAD, findings, rows
from onthefly import timings
from onthefly.figures import percent
from onthefly.quantity import INTERVAL
from reporting.document import document, summary, text


def page(found):
    """Return a Comparison as one HTML page."""
    changed, every = rows(found), rows(found, every=True)
    listed = timings.table(HEAD, changed, "What changed") if changed else (
        "<p>No series is called slower or faster.</p>"
    )  # fmt: skip
    title = f"{text(found.new.name)} against {text(found.base.name)}"
    body = f"""<h1>{title}</h1>
{summary(findings(found))}
<h2>What changed</h2>
{listed}
<h2>All series</h2>
<details><summary>{len(every)} series</summary>
{timings.table(HEAD, every, "All series")}</details>
<h2>How</h2>
<p>Each run of a page is a process, and gives one number a series: the
{NUMBER} of its samples. A run in which the series of a group, together, are
slower by more than {percent(LIMIT)} than in the quietest quarter of its own
side was disturbed, and does not count there. The ratio is the median of all
quotients of a new run and a base's (Hodges and Lehmann), with the {INTERVAL}
of the exact Mann-Whitney test, each series by itself. A series is called
where that test, corrected for all series together (Benjamini and Yekutieli),
stays below {percent(found.level)}, and the ratio lies beyond the A/A noise:
what {percent(UNLIKE)} of the ways to halve the runs of one side stay below,
scaled to all of them. It is unchanged where its interval lies within
{percent(found.threshold)}, and too noisy where neither can be said.</p>"""
    return document(f"{found.new.name} against {found.base.name}", body)
