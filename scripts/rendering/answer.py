"""The book's answer for the machine of this copy: what its first page says.

Its numbers come from one page, "All the ways at once"; the claims that fell
come from the ledger's verdicts.
"""

from onthefly import claims, figures, findings, plots, results
from onthefly.experiments.speed.ways import TAILORED
from onthefly.figures import percent
from onthefly.page import machine_line
from onthefly.provenance import slug_of
from onthefly.timings import background_load
from rendering import blocks

PAGE, GROUP = "all-the-ways", "ways"
FELL = ("contradicted", "weaker")
MOST = 5  # claims that fell, on the first page


def answer(stamps, verdicts):
    """Return the answer as Markdown, below a title.

    stamps    {page's file stem: stamp}, in the book's order
    verdicts  {slug: list of verdicts' rows}, see verdicts.here
    """
    return "\n\n".join([*_ways(stamps), *_fell(stamps, verdicts), ""])


def _ways(stamps):
    """Return who wins where on this machine, or that this copy cannot say."""
    runs = {stamp["chapter"]: stamp["machine"] for stamp in stamps.values()}
    name = runs.get(PAGE)
    found = results.find(PAGE, name).get(name) if name else None
    times = found.timings.get(GROUP) if found else None
    rivals = [n for n in times.names if n not in TAILORED] if times else []
    if len(rivals) < 2:
        return [
            "**This copy cannot say which way wins here**: "
            f"{{ref}}`{PAGE}` measured no two ways that could be compared. "
            "`make env` says which library is missing."
        ]
    chart = plots.contest(times, "shot", "shots", TAILORED)
    picture = figures.as_html(
        chart,
        "answer",
        caption="The time of one shot of π against the shots of a call. "
        + plots.CONTEST,
        alt="The time of one shot of π against the shots of a call. "
        + chart.finding,
    )
    return [
        f"Measured on {blocks.plain(machine_line(found.machine))}; preset "
        f"{found.preset}.",
        f"**{blocks.plain(chart.finding)}** {_gain(times, rivals)}",
        blocks.raw(picture),
        _noise(times),
    ]


def _gain(times, rivals):
    """Say what the best way gains over Python, where both were measured."""
    if "Python" not in rivals:
        return "Python's own loop was not measured."
    size = times.sizes("Python")[-1]
    met = {
        n: times.seconds(n, size) for n in rivals if size in times.sizes(n)
    }
    best = findings.ranked(met, "less")[0]
    if best == "Python":
        return ""
    gain = blocks.plain(str(times.ratio("Python", best, size)))
    return (
        f"At {size:,} shots, where Python's loop ends, {best} is {gain} as "
        f"fast as it. All of it: {{ref}}`{PAGE}`."
    )


def _noise(times):
    """Say how quiet the run was."""
    noisy = sum(bool(times.seconds(s.name, s.size).note) for s in times)
    share = percent(noisy / len(times))
    busy = any(background_load(s, times.cores) for s in times)
    text = f"How quiet the run was: {share} of its series are {{term}}`noisy`"
    text += ", and other programs used the machine meanwhile" * busy + "."
    if noisy > len(times) / 2:
        text += (
            " That is a noisy run: trust what is far apart, and repeat the "
            "rest."
        )
    return text


def _fell(stamps, verdicts):
    """Return published claims that fell here, with links to more."""
    stems = {slug_of(path): path.stem for path in claims.written().values()}
    ledger = claims.load()
    rows = [
        (ledger.claims[row["id"]], row)
        for found in verdicts.values()
        for row in found
        if row["verdict"] in FELL and row["measured"]
    ]
    rows = [pair for pair in rows if pair[0].source != claims.AIMS]
    # Those followed to their cause come first, then those refuted outright.
    rows.sort(
        key=lambda p: (
            not _cause(p[0]).startswith("case-"),
            not p[0].published,
            FELL.index(p[1]["verdict"]),
        )
    )
    chosen = {}
    for claim, row in rows:
        chosen.setdefault(_cause(claim), (claim, row))
    lines = [
        _line(claim, row, stems)
        for claim, row in list(chosen.values())[:MOST]
    ]
    if not lines:
        return []
    count = len(rows)
    return [
        "## What did not hold here",
        f"Of the claims that were published, {count} came out weaker in this "
        f"copy, or were contradicted; here are {len(lines)}, and "
        "{doc}`what_changed` has them all, by cause:",
        "\n".join(lines),
    ]


def _cause(claim):
    """Return the slug of the page that tells a claim's cause."""
    return claim.case or claim.chapter


def _line(claim, row, stems):
    """Return a claim that fell as an item of a list."""
    interval = f" ({row['interval']})" if row["interval"] else ""
    slug = _cause(claim) if _cause(claim) in stems else claim.chapter
    stem = stems[slug]
    link = "The cause" if slug.startswith("case-") else "More"
    said = f" Published: {blocks.plain(claim.figure)}." * bool(
        claim.published
    )
    why = f" ({blocks.plain(row['reason'].partition(';')[0])})"
    return (
        f"- {blocks.plain(claim.says)}{said} **Here: "
        f"{blocks.plain(row['measured'] + interval)}**, {row['verdict']}"
        f"{why if row['reason'] else ''}. "
        f"{link}: {{doc}}`/notebooks/{stem}`."
    )
