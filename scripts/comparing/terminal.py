"""A comparison as plain text."""

import textwrap

from commandline import aligned
from comparing.words import HEAD, findings, rows


def text(found, width, every=False):
    """Return the report as plain text.

    width  columns of the sentences; the table is as wide as it must be
    every  list all series, not only those that changed
    """
    lines = []
    for name, said in findings(found):
        lines += textwrap.wrap(
            f"{name}: {said}", width, subsequent_indent="    ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    if table := rows(found, every):
        lines += ["", *aligned([HEAD, *table], left=True)]
    return "\n".join(lines)
