"""A page that can be taken away: an executed notebook of plain Markdown.

What only the book's renderer knows is written out: the numbers of the prose,
labels, references, exercises.  Figures become images, which every viewer
shows, also of a notebook that it does not trust.
"""

import ast
import base64
import contextlib
import copy
import html
import pathlib
import re

import nbformat

from onthefly import files
from onthefly.errors import UserError
from onthefly.page import prose, results
from reading import notebooks, stamps

HEAD = (
    "*From the book* Python on the Fly, *executed; the numbers are of that "
    "run. To run it again, install the book's lab, which the page imports: "
    "its README says how.*"
)
LABEL = re.compile(r"^\(([\w-]+)\)=\n", re.M)
HEADING = re.compile(r"^\(([\w-]+)\)=\n+#+ (.+)$", re.M)
TITLE = re.compile(r"^# .+\n", re.M)
BLOCK = re.compile(r"\s*<(div|details|table|p)\b")
GATE = re.compile(
    r"^```\{(exercise|solution)-(start|end)\}.*\n(?::[\w-]+:.*\n)*```\n?",
    re.M,
)
FOLD = re.compile(r"^:::\{dropdown\} ([^\n]+)\n(.*?)^:::$", re.M | re.S)
BLOCK_OF_CODE = re.compile(r"^```\{code-block\} (\w+)$", re.M)
ROLE = re.compile(r"\{([\w:]+)\}`([^`]+)`")
NAMED = re.compile(r"(.+?)\s*<(.+)>", re.S)
FIGURE = re.compile(r"<figure\b.*?</figure>", re.S)
SVG = re.compile(r"<svg\b.*?</svg>", re.S)
LABEL_OF_SVG = re.compile(r"<svg\b[^>]*\baria-label=\"([^\"]*)\"")
CAPTION = re.compile(r"<figcaption\b[^>]*>(.*?)</figcaption>", re.S)
END_CELL = "book.conclude("
MARKUP = re.compile(r"<[^>]+>")


class Book:
    """What the pages refer to.

    pages    {name, as "part/topic": executed notebook's path}
    sources  path of references.bib
    address  function of a page's name: where a link from another page leads,
             "" for no link
    """

    def __init__(self, pages, sources, address="../{}.ipynb".format):
        from pybtex.database import parse_file

        self._address = address
        self._labels = {}  # {label: (page's name, heading)}
        for name, path in pages.items():
            for cell in notebooks.read(path)["cells"]:
                for label, title in HEADING.findall(cell["source"]):
                    title = prose.ROLE.sub("", title).strip()
                    self._labels[label] = name, title
        self._entries = parse_file(str(sources)).entries

    def role(self, name, text):
        """Return what a role says, as plain Markdown."""
        words, target = text, text
        if match := NAMED.fullmatch(text):
            words, target = match.groups()
        if name == "ref" and target in self._labels:
            page, title = self._labels[target]
            title = words if words != target else title
            address = self._address(page)
            return f"[{title}]({address})" if address else title
        if name.partition(":")[0] == "cite":
            return f"({'; '.join(map(self._cited, text.split(',')))})"
        return words

    def _cited(self, key):
        entry = self._entries.get(key.strip())
        if entry is None:
            return key
        authors = entry.persons.get("author", [])
        names = [" ".join(person.last_names) for person in authors]
        who = names[0] if names else entry.fields.get("title", key)
        who = re.sub(r"[{}]", "", who)  # which keep capitals in BibTeX
        others = " and others" if len(names) > 1 else ""
        year = entry.fields.get("year", "")
        return f"{who}{others} {year}".strip()


def page(path, book):
    """Return an executed notebook as one to take away.

    book  a Book

    The cells of exercises and solutions have the tags of these names.
    """
    notebook = nbformat.read(path, 4)
    _say_unmeasured(notebook, path)
    cells = [nbformat.v4.new_markdown_cell(HEAD, id="from-the-book")]
    for cell in _parted(notebook.cells):
        tags = cell.metadata.get("tags", [])
        if "injected-parameters" in tags or cell.source.startswith(END_CELL):
            continue
        if cell.cell_type == "markdown":
            _write_out(cell, book)
        else:
            cell.outputs = [o for out in cell.outputs for o in _shown(out)]
        cell.metadata.pop(prose.STORED, None)
        cell.metadata.pop("papermill", None)
        cells.append(cell)
    notebook.cells = cells
    notebook.metadata.pop("papermill", None)
    return notebook


def _parted(cells):
    """Yield copies of cells, none of which is of an exercise in part only.

    A cell of Markdown is divided where an exercise or a solution starts or
    ends; a heading stands for the start, a tag for all that belongs to it.
    """
    part, number = "", 0
    for cell in cells:
        code = cell.cell_type == "code"
        # A text, then of each gate: what it is of, its end, what follows.
        texts = [cell.source] if code else GATE.split(cell.source)
        for place in range(0, len(texts), 3):
            text = texts[place]
            if place:
                kind, end = texts[place - 2 : place]
                part = kind if end == "start" else ""
                number += part == "exercise"
                if part:
                    text = f"**{kind.capitalize()} {number}**\n\n{text}"
            if not (text.strip() or code):
                continue
            piece = copy.deepcopy(cell)
            piece.source = text
            if place:  # each cell has an id of its own
                piece.id = f"{cell.id}-{place}"
            if part:
                tags = piece.metadata.get("tags", [])
                piece.metadata["tags"] = [*tags, part]
            yield piece


def _write_out(cell, book):
    """Turn a Markdown cell's MyST into Markdown that every viewer reads."""
    images = {}
    text = filled(cell.source, cell, images)
    text = ROLE.sub(lambda m: book.role(*m.groups()), text)
    text = LABEL.sub("", text)
    text = BLOCK_OF_CODE.sub(r"```\1", text)
    text = FOLD.sub(_folded, text)
    cell.source = text.strip()
    if images:
        cell.attachments = images


def filled(text, cell, images):
    """Return a text with what a run of its cell stored for its expressions.

    images  {name: {mime: data}} of the cell, to which figures are added
    """
    values = prose.stored(cell)
    return prose.ROLE.sub(
        lambda m: _value(values.get(m[2].replace("\n", " ")), images), text
    )


def _folded(match):
    """Return a fold as HTML, which Markdown has no sign for."""
    title, body = match.groups()
    title = re.sub(r"`([^`]+)`", r"<code>\1</code>", title)
    summary = f"<summary>{title}</summary>"
    return f"<details>{summary}\n\n{body.strip()}\n\n</details>"


def _value(result, images):
    """Return what a run stored for an expression, as Markdown.

    images  {name: {mime: data}} of the cell, to which a figure is added
    """
    data = (result or {}).get("data", {})
    markup = data.get("text/html", "")
    if figure := SVG.search(markup):
        name = f"figure-{len(images) + 1}.svg"
        images[name] = {"image/svg+xml": _encoded(figure[0])}
        image = f"![{_label(figure[0])}](attachment:{name})"
        return f"{image}\n\n{_caption(markup)}"
    if BLOCK.match(markup):
        return f"\n\n{markup}\n\n"
    text = data.get("text/plain", "")
    if markup and text.startswith("<IPython"):  # HTML that is no block
        return html.unescape(MARKUP.sub("", markup))
    if text[:1] in ("'", '"'):
        with contextlib.suppress(SyntaxError, ValueError):
            text = ast.literal_eval(text)
    return text


def _label(svg):
    """Return what an SVG says to who cannot see it, for Markdown."""
    match = LABEL_OF_SVG.search(svg)
    text = html.unescape(match[1]) if match else "figure"
    return re.sub(r"([\\\[\]`*_$])", r"\\\1", " ".join(text.split()))


def _encoded(svg):
    return base64.b64encode(_alone(svg).encode()).decode()


def _alone(svg):
    """Return an SVG that stands in a page as one that is a file."""
    if "xmlns=" in svg:
        return svg
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def _caption(markup):
    """Return a figure's caption as text in italics, or ""."""
    match = CAPTION.search(markup)
    text = html.unescape(MARKUP.sub("", match[1])).strip() if match else ""
    return f"*{text}*" if text else ""


def _shown(output):
    """Yield the outputs that stand for one: of a figure, its image."""
    markup = output.get("data", {}).get("text/html", "")
    figures = FIGURE.findall(markup)
    if not figures:
        yield output
        return
    for figure in figures:
        if image := SVG.search(figure):
            caption = _caption(figure)
            yield nbformat.v4.new_output(
                "display_data",
                {
                    "image/svg+xml": _alone(image[0]),
                    "text/plain": caption.strip("*") or "figure",
                },
            )
            if caption:
                yield nbformat.v4.new_output(
                    "display_data", {"text/markdown": caption}
                )


def unmeasured(path):
    """Return what no recorded machine has measured of a page, by name.

    path  of the executed notebook
    """
    try:
        stamp = stamps.read(stamps.path_of(path))
        run = results.find(stamp["chapter"], stamp["machine"])
        return run[stamp["machine"]].unmeasured
    except (UserError, KeyError):
        return []


def _say_unmeasured(notebook, path):
    """Put a line below the title of a page that lacks measurements."""
    if count := len(unmeasured(path)):
        some, have = "One measurement", "has"
        if count > 1:
            some, have = f"{count} measurements", "have"
        line = (
            f"\n*{some} of this page {have} not been recorded on any "
            "machine yet. A dash stands for what is missing.*\n"
        )
        first = notebook.cells[0]
        first.source = TITLE.sub(lambda m: m[0] + line, first.source, count=1)


def staged(path):
    """Return an executed notebook as the book renders it."""
    notebook = nbformat.read(path, 4)
    _say_unmeasured(notebook, path)
    return notebook


def write(names, build, root, folder):
    """Write the notebooks of some pages into a folder; return their paths.

    names  of the pages, as "part/topic"; so they lie in the folder, too
    root   folder of book/
    """
    executed = {n: build / "executed" / f"{n}.ipynb" for n in names}
    book = Book(executed, root / "book" / "references.bib")
    folder = pathlib.Path(folder)
    paths = []
    for name, path in executed.items():
        paths.append(folder / f"{name}.ipynb")
        files.write(paths[-1], nbformat.writes(page(path, book), 4))
    return paths
