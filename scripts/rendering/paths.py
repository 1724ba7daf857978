"""The pages that open the parts, the routes, and where a page stands on them.

A part's page says of each of its pages what it is about, what it found in
this copy, and how long it takes to read.
"""

import functools
import math
import re

from commandline import unknown
from onthefly.folders import build_dir
from onthefly.page import prose
from reading import notebooks, paths, toc
from rendering.plain import filled, unmeasured

FOLDER = "book/parts/"
OPENING = re.compile(r"^# .+\n+((?:.+\n?)+)", re.M)  # its first paragraph
# With what the data make of it, which stands behind its full stop; of an
# item of a list, without the mark.
SENTENCE = re.compile(
    r"(?:- )?(\S.*?[.?!](?:\{eval\}`[^`]*`)?)(?=\s+[-A-Z{`*]|\s*$)"
)
# A sentence that needs the one before it.
POINTS_BACK = re.compile(
    r"(?:and|but|here|in return|it|its|neither|nor|so|that|their|then|there"
    r"|these|they|this|those)\b|.*\bthis (?:loop|notebook|page)\b",
    re.IGNORECASE,
)
ASKS = re.compile(r"\?(?:\{eval\}`[^`]*`)?$")
ROLES = re.compile(r"\{(?:term|ref|doc)\}`([^`<]+?)(?:\s*<[^`>]+>)?`")
# What a page folds, draws or looks up in a table, and other HTML.
ASIDE = re.compile(
    r"^(`{3,}|:{3,})\{(?:raw|dropdown|code-block)\}.*?^\1$"
    r"|<(details|table|svg|script|style)\b.*?</\2>|<[^>]*>",
    re.S | re.M,
)
# How fast a page is read: words of prose, lines of code that are shown, and
# the seconds in which a figure is understood.
WORDS, LINES, FIGURE = 200, 15, 30


def page(copy, name):
    """Return the page of a part as Markdown.

    copy  a rendering.copy.Copy
    name  of its document, as book/parts/measuring

    Raises UserError for a part that book/parts.yml does not know.
    """
    known, folder = paths.parts(), name.removeprefix(FOLDER)
    if folder not in known:
        raise unknown("part", folder, list(known))
    part = known[folder]
    rows = [
        {"name": page, "line": line, **told(page, part.results.get(page))}
        for page, line in part.pages.items()
    ]
    return copy.render(
        "book/part",
        part=part,
        label=name.replace("/", "-"),
        rows=rows,
        questions=paths.self_tests().get(folder, []),
    )


def ways_in(texts):
    """Return the parts and routes of the first page, with their minutes.

    texts  {name in the stage: Markdown} of the pages that are no chapters

    Each is a list of (name, the Part or Route, minutes); those of pages that
    did not run here count nothing.
    """

    def takes(page):
        text = texts.get(f"{page}.md")
        return words_take(text) if text else told(page)["minutes"] or 0

    def timed(every):
        return [
            (name, one, sum(map(takes, one.pages)))
            for name, one in every.items()
        ]

    return {"parts": timed(paths.parts()), "routes": timed(paths.routes())}


@functools.cache
def told(page, result=None):
    """Return what a page found and the minutes that it takes, if it ran.

    result  the sentence of book/parts.yml that says what it found, or None
    """
    name = page.removeprefix(toc.FOLDER)
    path = build_dir() / "executed" / f"{name}.ipynb"
    if not page.startswith(toc.FOLDER) or not path.exists():
        return {"finding": "", "minutes": None, "unmeasured": False}
    cells = notebooks.read(path)["cells"]
    return {
        "finding": finding(cells[0], result),
        "minutes": minutes(cells),
        "unmeasured": bool(unmeasured(path)),
    }


def finding(cell, result=None):
    """Return a sentence that says what a page found, or "".

    cell    the page's opening
    result  a sentence with its numbers; None, or where one of them is not
            stored, the opening's own sentence that has a number
    """
    stored = prose.stored(cell)
    asked = prose.expressions(result or "")
    own = [result] if result and stored.keys() >= set(asked) else []
    for text in [*own, *filter(_finds, sentences(cell["source"]))]:
        images = {}
        said = filled(text, cell, images)
        if not images:  # a figure is no sentence
            return ROLES.sub(r"\1", said)
    return ""


def sentences(source):
    """Return the sentences of a page's opening, the finding first.

    That has a number and stands alone.
    """
    opening = OPENING.search(source)
    if not opening:
        return []
    every = SENTENCE.findall(" ".join(opening[1].split()))
    return sorted(every, key=lambda text: not _finds(text))


def _finds(sentence):
    """Tell whether a sentence has a number, states it, and stands alone."""
    return (
        prose.ROLE.search(sentence)
        and not ASKS.search(sentence)
        and not POINTS_BACK.match(sentence)
    )


def minutes(cells):
    """Return about how long a page takes to read, in whole minutes."""
    words = lines = pictures = 0
    for cell in cells:
        if cell["cell_type"] == "markdown":
            words += len(cell["source"].split())
        elif "remove-cell" not in notebooks.tags(cell):
            lines += len(cell["source"].splitlines())
        pictures += str(cell.get("outputs", "")).count("<figure")
    return math.ceil(words / WORDS + lines / LINES + pictures * FIGURE / 60)


def words_take(text):
    """Return about how long Markdown takes to read, in whole minutes.

    Tables, what is folded, and HTML count nothing.
    """
    lines = ASIDE.sub(" ", text).splitlines()
    told = " ".join(one for one in lines if not one.startswith("|"))
    return math.ceil(len(told.split()) / WORDS)


def signpost(document, documents):
    """Return where a page stands on the routes, as Markdown, or "".

    documents  those of the book's table of contents
    """
    lines = []
    for route in paths.routes().values():
        pages = [page for page in route.pages if page in documents]
        if document not in pages or len(pages) < 2:
            continue
        at = pages.index(document)
        onward = (
            f"next {{doc}}`/{pages[at + 1]}`"
            if document != pages[-1]
            else "its end"
        )
        lines.append(
            f"- **{route.title}**, {at + 1} of {len(pages)}; {onward}"
        )
    return "\n".join(["## On your route", "", *lines]) if lines else ""
