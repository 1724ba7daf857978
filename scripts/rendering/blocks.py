"""Blocks of Markdown that the build writes into its pages."""

import re


def table(head, rows):
    """Return a Markdown table; cells are Markdown without line ends."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in lines)


def plain(text):
    """Return text as Markdown that shows it as it stands."""
    return re.sub(r"([\\`*_{}\[\]<>$|])", r"\\\1", text)


def raw(html):
    """Return HTML as a Markdown block that stays HTML."""
    return f"```{{raw}} html\n{html}\n```"
