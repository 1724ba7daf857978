"""A report as one HTML page that needs no other file."""

import html
import re
from pathlib import Path

from commandline import ROOT


def text(value):
    """Return a value as text that HTML shows as it stands."""
    return html.escape(str(value))


def document(title, body):
    """Return the page.

    title  plain text
    body   HTML, from the heading on
    """
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{text(title)}</title>
<style>{_style()}</style>
</head>
<body><main>
{body}
</main></body>
</html>
"""


def summary(said):
    """Return findings as HTML: [(name, sentence)], the first one stressed."""
    rows = "".join(
        f"<dt>{text(name)}</dt><dd>{text(sentence)}</dd>"
        for name, sentence in said
    )
    return f"<dl>{rows}</dl>"


def _style():
    """Return the page's style sheet, with the colours of the book."""
    book = (ROOT / "book/_static/onthefly.css").read_text(encoding="utf-8")
    blocks = re.findall(r"^html.*?{(.*?)^}", book, re.S | re.M)
    light, dark = (
        "".join(re.findall(r"--otf-\S+: [^;]+;", block))
        for block in blocks[:2]
    )
    own = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    return f":root {{ {light} }}\n{dark}\n{own}"
