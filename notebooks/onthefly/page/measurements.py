"""The measurements of a page, folded at its end: one table, by group."""

import html

from onthefly import figures

RATIOS = (
    "Ratios and differences are medians of those within rounds: where times "
    "drift they may differ from those of two medians here."
)
# From a page's place in the built book, as "notebooks/part/topic.html".
READING = (
    "What <code>book.measure</code> and other calls of the cells mean: "
    '<a href="../../book/measuring.html#how-to-read-code">How to read the '
    "code of a page</a>."
)


def held_back(record):
    """Return a line on the GPUs whose clocks are held back at a run's end.

    "" where none is, or where nothing tells; an idle one is not.
    """
    lines = []
    for about in record["gpus"]:
        after = about.get("after", {})
        reasons = [r for r in after.get("held_back") or [] if r != "idle"]
        if reasons:
            lines.append(
                f"{about['name']} at {after['sm'] or 'unknown'} MHz, "
                f"held back: {', '.join(reasons)}"
            )
    return f"At the end {'; '.join(lines)}." if lines else ""


class Notes:
    """What there is to say of a page's measurements, in their order."""

    def __init__(self):
        self._groups = {}  # {group: (Timings or None, [lines])}

    def add(self, group, timings=None, *, origin="", stale="", beside=""):
        """Note a measurement.

        timings  its Timings; None of what was asked and not timed
        origin   whose it is, where it is another machine's
        stale    what has changed since, in words
        beside   whose record stands for it, where others disturbed it
        """
        lines = []
        if beside:
            lines.append(
                "Other programs used this machine meanwhile. Shown instead: "
                f"{beside}."
            )
        elif origin:
            lines.append(figures.whose(origin))
        if stale:
            lines.append(
                f"Measured by an earlier version of its code: {stale}."
            )
        if timings is not None:
            lacks = timings.missing.items()
            lines += [
                f"{one} is left out: {k} is missing." for one, k in lacks
            ]
        if timings is not None or lines:
            self._groups[group] = timings, lines

    def as_html(self, whose, ending=""):
        """Return all measurements as one folded block.

        whose   the line that says which machine measured, and when
        ending  another line
        """
        parts = [f"<p>{html.escape(whose)}</p>", f"<p>{READING}</p>"]
        for group, (timings, lines) in self._groups.items():
            parts.append(f"<h3>{html.escape(group)}</h3>")
            parts += [f"<p>{html.escape(line)}</p>" for line in lines]
            if timings is not None:
                parts.append(timings.as_table(group))
        if any(times is not None for times, _ in self._groups.values()):
            parts.append(f"<p>{RATIOS}</p>")
        if ending:
            parts.append(f"<p>{html.escape(ending)}</p>")
        return (
            '<details class="otf-data otf-measurements"><summary>'
            f"Measurements</summary>{''.join(parts)}</details>"
        )
