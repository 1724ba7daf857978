#!/usr/bin/env python3
"""Make a course kit of a route: a plan, slides, notebooks and solutions.

    scripts/course.py day          a route of book/routes.yml, by its key

It needs the executed pages (make read, or make book), and writes a folder,
_build/course/ROUTE, whose index.html is the plan.  For each page it has a
deck of slides, a notebook without solutions, and one of the exercises with
their solutions; for each part that the route touches, its self-test, answers
apart.  A kit that cannot be made leaves the last one as it is.

Exit status: 0 made, 2 there is no such route, or a page was not executed.
"""

import dataclasses
import os
import pathlib
import re
import sys
import tempfile

import nbformat
from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from mdit_py_plugins.dollarmath import dollarmath_plugin

import templates
from commandline import ROOT, Parser, command, folder, shown, unknown
from onthefly import files, folders
from onthefly.errors import UserError
from reading import notebooks, paths, toc
from rendering import plain, slides, sphinx, stage
from rendering.paths import minutes

EXERCISE = "**Exercise "  # as plain.page begins one
NOTEBOOK = re.compile(r"\]\((?=\d\d-\w+\.ipynb\))")


@dataclasses.dataclass
class Lesson:
    """A page on a route.

    document   of the table of contents
    file       name of its files in the kit, without suffix; "" for a page
               that is no notebook
    title      of the page
    line       what it is about
    minutes    that it takes to read; 0 for a page that is no notebook
    exercises  what they ask, as HTML
    """

    document: str
    file: str
    title: str
    line: str
    minutes: int
    exercises: list[Markup]


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument(
        "route", metavar="ROUTE", help="a route of book/routes.yml: two-hours"
    )
    parser.add_argument(
        "--build", type=folder, default=folders.build_dir(), metavar="DIR",
        help="folder of generated files (default: _build)",
    )  # fmt: skip
    return parser.parse_args(argv)


def chosen(name):
    """Return the Route of a name; raise UserError where there is none."""
    routes = paths.routes()
    if name not in routes:
        raise unknown("route", name, list(routes))
    return routes[name]


def executed(names, build):
    """Return {page's name: path of the executed notebook}.

    names  as "part/topic"

    Raises UserError where one is missing, or not the one that was stamped.
    """
    found = {name: build / "executed" / f"{name}.ipynb" for name in names}
    for path in found.values():
        if not path.exists():
            raise UserError(f"{path}: no executed page; repair: make read")
    for name in names:
        stage.stamp_of(ROOT, build, name)
    return found


def numbered(pages):
    """Return {page's name: name of its files}, by the place on the route."""
    return {
        page.removeprefix(toc.FOLDER): f"{k:02}-{page.rpartition('/')[2]}"
        for k, page in enumerate(pages, 1)
        if page.startswith(toc.FOLDER)
    }


def without(page, tag):
    """Return a notebook in which an empty cell stands for those of a tag."""
    kept, before = [], False
    for cell in page.cells:
        tagged = tag in cell.metadata.get("tags", [])
        if not tagged:
            kept.append(cell)
        elif not before:
            kept.append(nbformat.v4.new_code_cell(id=f"{cell.id}-own"))
        before = tagged
    return nbformat.from_dict({**page, "cells": kept})


def solved(page, title):
    """Return a notebook of a page's exercises and their solutions."""
    text = f"# Solutions: {title}"
    head = nbformat.v4.new_markdown_cell(text, id="solutions")
    every = [
        cell
        for cell in page.cells
        if {"exercise", "solution"} & set(cell.metadata.get("tags", []))
    ]
    return nbformat.from_dict({**page, "cells": [head, *every]})


def lesson(document, file, path, page):
    """Return the Lesson of a page that is a notebook.

    path, page  the notebook: executed, and as plain.page returns it
    """
    texts = [c.source for c in page.cells if c.cell_type == "markdown"]
    asked = [t.partition("\n\n")[2] for t in texts if t.startswith(EXERCISE)]
    inline = MarkdownIt().use(dollarmath_plugin, renderer=_formula)
    return Lesson(
        document,
        file,
        title(texts[1]),
        about(document),
        minutes(notebooks.read(path)["cells"]),
        [
            Markup(inline.renderInline(NOTEBOOK.sub(r"](notebooks/", t)))
            for t in asked
        ],
    )


def _formula(text, _):
    """Return a formula as MathJax, which the plan loads, finds it."""
    return f"\\({escape(text)}\\)"


def title(text):
    """Return the title of a page of Markdown."""
    return re.search(r"^# (.+)$", text, re.M)[1]


def about(document):
    """Return the line of book/parts.yml about a page, or ""."""
    every = (part.pages for part in paths.parts().values())
    return next((p[document] for p in every if document in p), "")


def touched(route):
    """Return [(title of a part, its questions)] of the parts of a route."""
    tests = paths.self_tests()
    return [
        (part.title, tests.get(name, []))
        for name, part in paths.parts().items()
        if set(part.pages) & set(route.pages)
    ]


def lessons(route, build, folder):
    """Write the slides and notebooks of a route; return {document: Lesson}.

    route   a paths.Route
    build   folder of generated files
    folder  to write into
    """
    names = numbered(route.pages)
    sources = executed(names, build)
    # The other pages, too: a text names them by their titles.
    every = {n: build / "executed" / f"{n}.ipynb" for n in toc.written(ROOT)}
    book = plain.Book(
        {name: path for name, path in every.items() if path.exists()},
        ROOT / "book" / "references.bib",
        lambda name: f"{names[name]}.ipynb" if name in names else "",
    )
    pages = {name: plain.page(path, book) for name, path in sources.items()}
    found = {
        document: Lesson(
            document, "", title(files.text(ROOT / f"{document}.md")),
            about(document), 0, [],
        )
        for document in route.pages
        if not document.startswith(toc.FOLDER)
    }  # fmt: skip
    for name, page in pages.items():
        document, file = toc.FOLDER + name, names[name]
        one = lesson(document, file, sources[name], page)
        found[document] = one
        for kind, notebook in (
            ("notebooks", without(page, "solution")),
            ("solutions", solved(page, one.title)),
        ):
            text = nbformat.writes(notebook, 4)
            files.write(folder / kind / f"{file}.ipynb", text)
    decks = {names[name]: page for name, page in pages.items()}
    slides.write(decks, folder / "slides")
    return found


def write(route, build, folder):
    """Write the kit of a route, as `lessons` does; return how many decks."""
    found = lessons(route, build, folder)
    sessions = {
        title: [found[document] for document in documents]
        for title, documents in route.sessions.items()
    }
    total = sum(one.minutes for one in found.values())
    facts = [("For", route.whom), ("Reading", f"{total} min")]
    _render("course", folder / "index.html", route, facts, sessions=sessions)
    for where, answers in ((folder, False), (folder / "solutions", True)):
        more = {"parts": touched(route), "answers": answers}
        _render("course_tests", where / "self_tests.html", route, [], **more)
    return len([one for one in found.values() if one.file])


def _render(template, path, route, findings, **more):
    """Write a page of HTML."""
    name = f"{template}.html"
    text = templates.render(name, route=route, findings=findings, **more)
    files.write(path, text)


@command
def main(argv=None):
    """Make the kit that the command line names; return the exit status."""
    options = parse(argv)
    route = chosen(options.route)
    os.environ["ONTHEFLY_BUILD"] = str(options.build)  # where the lab looks
    target = options.build / "course" / options.route
    with tempfile.TemporaryDirectory() as scratch:
        made = pathlib.Path(scratch) / options.route
        count = write(route, options.build, made)
        target.parent.mkdir(parents=True, exist_ok=True)
        sphinx.publish(made, target)
    print(f"course: {count} decks of slides, {shown(target / 'index.html')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
