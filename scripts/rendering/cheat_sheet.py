"""The cheat sheet: what to do with which loop, on one printed page."""

import html

import templates
from onthefly.measure import timings
from onthefly.predict import tree
from rendering import which_one
from rendering.linked import link

COSTS = "cost-of-a-call"  # the page with the table of what each costs
HEAD = "Your loop", "Method", "Gain", "Its catch"
SYMPTOMS = (  # of tree.QUESTIONS, in few words
    "A sum of products, a product of matrices, a sort",
    "Text, dictionaries",
    "Each element needs the one before",
    "The work differs from element to element",
    "One or two operations on whole arrays",
    "Any other loop over numbers: a grid, an image filter",
)


def page(copy):
    """Return the cheat sheet as Markdown.

    copy  a rendering.copy.Copy
    """
    found = which_one.measured(copy)
    if not found:
        return templates.render("book/cheat_sheet.md", methods="")
    machines, here, every = found
    run = copy.runs.get(COSTS) or next(iter(copy.recorded(COSTS)), None)
    return templates.render(
        "book/cheat_sheet.md",
        methods=_methods(every[here]),
        about=tree.about_gains(machines[here]),
        always=tree.ALWAYS,
        price=_table(run.tables["price"]) if run else "",
    )


def _methods(every):
    leaves = [*(one.yes for one in tree.QUESTIONS), tree.OTHERWISE]
    rows = "".join(
        f"<tr><th scope='row'>{html.escape(symptom)}</th>"
        f"<td>{link(leaf.page, leaf.take)}"
        f"<pre>{html.escape(leaf.code)}</pre></td>"
        f"<td>{html.escape(tree.said(every, leaf)[0] or '–')}</td>"
        f"<td>{html.escape(leaf.catch)}</td></tr>"
        for symptom, leaf in zip(SYMPTOMS, leaves, strict=True)
    )
    head = "".join(f"<th scope='col'>{name}</th>" for name in HEAD)
    return (
        f"<table class='otf-sheet'><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _table(rows):
    cells = [list(row.values()) for row in rows]
    return timings.table(list(rows[0]), cells, "The price of entry")
