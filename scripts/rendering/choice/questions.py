"""The decision tree as HTML: questions, and what a yes leads to."""

import html

from onthefly.predict import tree
from rendering.linked import link


def drawn(every):
    """Return the tree as HTML.

    every  {problem: Choices} of a machine
    """
    rows = [_row(every, one.asks, one.yes) for one in tree.QUESTIONS]
    rows.append(_row(every, "", tree.OTHERWISE))
    return (
        f'<ol class="otf-tree">{"".join(rows)}</ol>'
        f'<p class="otf-tree-always">{html.escape(tree.ALWAYS)}</p>'
    )


def _row(every, asks, leaf):
    gained, like = map(html.escape, tree.said(every, leaf))
    told = f"<p><strong>{gained}</strong> {like}</p>" if gained else ""
    asked = html.escape(asks) or "None of these"
    answer = "yes" if asks else "then"
    return (
        f'<li><div class="otf-asks">{asked}</div>'
        f'<div class="otf-yes" data-answer="{answer}">'
        f"{link(leaf.page, leaf.take)}"
        f"{told}<p>{html.escape(leaf.catch)}</p></div></li>"
    )
