"""The report as plain text."""

import textwrap

from commandline import aligned
from confirming.tables import tables
from confirming.words import findings
from onthefly.page import machine_line


def text(found, width):
    """Return the report as plain text of at most `width` columns."""
    parts = [
        found.request.target,
        textwrap.fill(machine_line(found.machine), width),
        "",
    ]
    for name, said in findings(found):
        parts.append(
            textwrap.fill(
                f"{name:<11}{said}",
                width,
                subsequent_indent=" " * 11,
                break_long_words=False,
            )
        )
    for title, head, rows in tables(found):
        parts += [
            "",
            *textwrap.wrap(title, width),
            *_aligned(head, rows, width),
        ]
    return "\n".join(parts)


def _aligned(head, rows, width):
    """Yield lines of a table; intervals are left out where it is too wide."""
    cells = [head, *([str(c) for c in row] for row in rows)]
    lines = aligned(cells)
    if max(map(len, lines)) > width:
        cells = [head, *([_short(c) for c in row] for row in rows)]
        lines = aligned(cells)
    return lines


def _short(cell):
    return str(cell).partition(" (")[0]
