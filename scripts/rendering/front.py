"""The folder of the built book opens with the book's first page.

Jupyter Book writes there a page without a title that leads on.
"""

import posixpath
import re

from onthefly import files

FIRST = "book/index.html"
# An address within the book: neither a place of the page nor another host's.
ADDRESS = re.compile(
    r'\b(href|src|action|data-content_root)="(?![#"]|[a-z]+:|//)([^"]+)"'
)


def write(html):
    """Write index.html, the book's first page with addresses from there.

    html  folder of the rendered book
    """
    text = files.text(html / FIRST)
    files.write(html / "index.html", ADDRESS.sub(_moved, text))


def _moved(match):
    """Return an attribute of the first page, its address from the root."""
    name, address = match.groups()
    path = re.match(r"[^?#]*", address)[0]
    moved = posixpath.normpath(posixpath.join(posixpath.dirname(FIRST), path))
    moved = f"./{moved}" if moved != "." else "."
    moved += "/" if path.endswith("/") else ""
    return f'{name}="{moved}{address[len(path) :]}"'
