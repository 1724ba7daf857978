"""Links to the book's pages, in HTML that the pages of book/ have."""

import html

from onthefly.page import claims
from onthefly.page.checkout import name_of


def link(slug, text, more=""):
    """Return HTML that leads to a page, or its text where the book lacks it.

    slug  of the page
    more  attributes of the link
    """
    path = claims.written().get(slug)
    if path is None:
        return f"<span{more}>{html.escape(text)}</span>"
    address = f"../notebooks/{name_of(path)}.html"
    return f'<a href="{address}"{more}>{html.escape(text)}</a>'
