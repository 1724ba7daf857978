"""The role {eval}: a number of the run, in the prose.

A run stores each expression's value in its cell (onthefly.page.prose);
MyST-NB alone would execute the expression again.  A value that is a block, as
a figure, parts the paragraph that it stands in, for HTML allows none within
one.  An empty value leaves nothing, not even the space before it.
"""

import ast
import contextlib
import itertools
import re

from docutils import nodes
from myst_nb.ext.utils import RoleBase
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from onthefly.page.prose import stored

LINES = 10_000  # of a cell, as MyST-NB counts them
BLOCK = re.compile(
    r"\s*<(article|aside|blockquote|details|div|dl|figure|h[1-6]|hr|ol|p|pre"
    r"|section|table|ul)\b",
    re.IGNORECASE,
)


class Evaluated(RoleBase):
    """Show the value that the run stored for an expression."""

    def run(self):
        """Return docutils nodes; warn where no value is stored."""
        cells = self._cells()
        cell = cells[-1] if cells else {"metadata": {}}
        result = stored(cell).get(self.text, {"status": "no value"})
        if result["status"] == "ok":
            return [_shown(result["data"])], []
        page = self.document.settings.env.docname
        logging.getLogger(__name__).warning(
            "cell %d: {eval}`%s`: %s; repair: scripts/run.py %s --force",
            sum("injected-parameters" not in _tags(c) for c in cells),
            self.text,
            result.get("evalue", "no value is stored"),
            page.rpartition("/")[2],
            location=page,
        )
        return [], []

    def _cells(self):
        """Return the notebook's cells up to the one of the role."""
        if "nb_renderer" not in self.document:
            return []
        client = self.document["nb_renderer"].renderer.nb_client
        return client.notebook.cells[: self.line // LINES]


def _tags(cell):
    return cell["metadata"].get("tags", [])


def _shown(data):
    """Return the node of a value, which is given in Jupyter's forms."""
    if (text := data.get("text/html")) is not None:
        block = bool(BLOCK.match(text))
        return nodes.raw("", text, format="html", evaluated=True, block=block)
    text = data["text/plain"]
    if text[:1] in ("'", '"'):  # of a str, its own text
        with contextlib.suppress(SyntaxError, ValueError):
            text = ast.literal_eval(text)
    return nodes.inline("", text, evaluated=True)


class Part(SphinxTransform):
    """Part paragraphs at the blocks in them; drop what is empty."""

    default_priority = 5  # before others look at the paragraphs

    def apply(self):
        """Change the document."""
        for node in list(self.document.findall(_is_value)):
            if not node.astext():
                _drop(node)
        for paragraph in list(self.document.findall(nodes.paragraph)):
            children = paragraph.children
            if not children or any(map(_is_block, children)):
                paragraph.replace_self(_parts(paragraph))


def _is_value(node):
    return isinstance(node, nodes.Element) and "evaluated" in node


def _is_block(node):
    return _is_value(node) and node.get("block", False)


def _drop(node):
    """Take an empty value out, with the space before it."""
    home, place = node.parent, node.parent.index(node)
    home.remove(node)
    after = home[place].astext() if place < len(home) else ""
    before = home[place - 1] if place else None
    if isinstance(before, nodes.Text) and not after[:1].isalnum():
        text = before.rstrip()
        home[place - 1 : place] = [nodes.Text(text)] if text else []


def _parts(paragraph):
    """Return the paragraphs that blocks part, and the blocks."""
    found = []
    for block, group in itertools.groupby(paragraph.children, _is_block):
        children = list(group)
        if block:
            found += children
        elif "".join(node.astext() for node in children).strip():
            part = nodes.paragraph("", "", *children)
            part.source, part.line = paragraph.source, paragraph.line
            found.append(part)
    return found


def setup(app):
    """Register the role in the place of MyST-NB's."""
    app.setup_extension("myst_nb")
    app.add_role("eval", Evaluated(), override=True)
    app.add_transform(Part)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
