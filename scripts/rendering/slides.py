"""A page as a deck of slides, by nbconvert and reveal.js.

A heading starts a column of slides.  A slide has what the page shows, such as
code with its output, a figure or a list, and of what it says a sentence of
each paragraph; the notes of the speaker have all of it.
"""

import copy
import dataclasses
import importlib.util
import pathlib
import re
import shutil

import nbformat
from markdown_it import MarkdownIt

import templates
from onthefly.errors import UserError

HIDDEN = {"parameters", "remove-cell", "solution"}  # tags
ASIDE = "What the talks said"  # the section that is no part of a lesson
# HTML that is shown; what is folded is looked up on the page.
MARKUP = re.compile(r"<div\b(?!.*<details).*<(table|pre)\b", re.S)
IMAGE = "image/svg+xml"
FIGURE = re.compile(r"!\[.*\]\(attachment:|\$\$")  # or a formula
SHOWN = {"bullet_list_open", "ordered_list_open", "fence", "table_open"}
SENTENCE = re.compile(r"(?:(?<=[.?!])|(?<=[.?!]\)))\s+(?=[A-Z\"`*\[$(])")
SHORT = 40  # characters: such a sentence does not stand alone
OPENING = 4  # sentences of the page's point, on the first slide
POINTS = 6  # on a slide
FEW = 5  # lines of code that leave room for a figure
NOTEBOOK = re.compile(r"(\]\(\d\d-\w+)\.ipynb\)")
THEME = "course"  # the last style sheet that the template reads
# Files of packages that a deck reads: {folder of _static: (package, folder
# of the package, patterns)}.
FILES = {
    "reveal": (
        "sphinx_revealjs",
        "_static/revealjs",
        (
            "LICENSE",
            "dist/reveal.css",
            "dist/reveal.js",
            "dist/theme/white.css",
            "dist/theme/fonts/source-sans-pro/*.css",
            "dist/theme/fonts/source-sans-pro/*.woff",
            "dist/theme/fonts/source-sans-pro/LICENSE",
            "plugin/notes/notes.js",
        ),
    ),
    "mathjax": (
        "sphinx-mathjax-offline",
        "static/mathjax",
        ("tex-chtml.js", "output/chtml/fonts/woff-v2/*"),
    ),
}


def write(pages, folder):
    """Write a deck for each page, and the files that all of them read.

    pages   {file's name without suffix: notebook, as plain.page returns it}
    folder  to write into

    Raises UserError where a package with such files is missing.
    """
    from nbconvert import SlidesExporter

    exporter = SlidesExporter(
        template_name="slides",
        extra_template_basedirs=[str(templates.FOLDER)],
        reveal_url_prefix="_static/reveal",
        reveal_theme=THEME,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
        config={
            "CSSHTMLHeaderPreprocessor": {
                "style": "github-light-high-contrast"
            }
        },
    )
    _copy_files(folder / "_static")
    for name, page in pages.items():
        text, _ = exporter.from_notebook_node(deck(page))
        (folder / f"{name}.html").write_text(text, encoding="utf-8")


def _copy_files(folder):
    """Copy what a deck reads: reveal.js, with our theme, and MathJax."""
    for name, (package, within, patterns) in FILES.items():
        spec = importlib.util.find_spec(package)  # imports nothing
        if spec is None:
            raise UserError(f"{package}: not installed; repair: make env")
        source = pathlib.Path(spec.origin).parent / within
        for path in (p for each in patterns for p in source.glob(each)):
            target = folder / name / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    theme = folder / f"reveal/dist/theme/{THEME}.css"
    shutil.copy(templates.FOLDER / "slides" / theme.name, theme)


def _cell(text):
    return nbformat.v4.new_markdown_cell(text)


@dataclasses.dataclass
class Slide:
    """What stands on a slide, from top to bottom, and in the notes.

    kind    "slide" where a column starts; "subslide" below it
    head    heading, as Markdown
    points  sentences above what it shows
    shown   cells
    below   sentences below them
    notes   paragraphs
    """

    kind: str
    head: str
    points: list[str] = dataclasses.field(default_factory=list)
    shown: list = dataclasses.field(default_factory=list)
    below: list[str] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)

    def takes(self, cell):
        """Tell whether a cell that follows at once belongs to this slide.

        A figure does, to the few lines of code that made it.
        """
        code = self.shown[-1] if len(self.shown) == 1 else {}
        return (
            code.get("cell_type") == "code"
            and code.source.count("\n") < FEW
            and not code.outputs
            and cell.cell_type == "markdown"
        )

    def cells(self):
        """Return it as cells of a notebook."""
        texts = (
            "\n\n".join([self.head, *self.points]),
            "\n\n".join(self.below),
        )
        above, below = (_cell(NOTEBOOK.sub(r"\1.html)", t)) for t in texts)
        typed = [(above, self.kind), *((cell, "-") for cell in self.shown)]
        if self.below:
            typed.append((below, "-"))
        if self.notes:
            typed.append((_cell("\n\n".join(self.notes)), "notes"))
        for cell, type_ in typed:
            cell.metadata["slideshow"] = {"slide_type": type_}
        return [cell for cell, _ in typed]


def deck(page):
    """Return a notebook whose cells say on which slide they are.

    page  a notebook, as plain.page returns it
    """
    slides = _slides(page.cells)
    made = nbformat.v4.new_notebook(metadata=page.metadata)
    made.metadata["title"] = slides[0].head.strip("# ")
    made.cells = [cell for slide in slides for cell in slide.cells()]
    return made


def _slides(cells):
    """Return the Slides of a page's cells."""
    slides, said = [], []

    def more(points):
        """Append a slide to the column, or fill the one that opens it."""
        last = slides[-1]
        if last.kind == "subslide" or last.shown or last.points:
            head = f"##### {last.head.lstrip('# ')}"
            slides.append(Slide("subslide", head))
        slides[-1].points = points
        slides[-1].notes = said[:]
        said.clear()

    def close():
        """Let what was said last stand below what it is about."""
        if said and slides[-1].shown:
            slides[-1].below += _listed(said)
            slides[-1].notes += said
            said.clear()
        elif said:
            more(_listed(said))

    for what, item in _items(cells):
        if what == "heading":
            close()
            slides.append(Slide("slide", item))
        elif what == "text":
            first = len(slides) == 1 and not (said or slides[0].shown)
            said.append(item)
            if first:
                more([point(item, OPENING)])
        elif not said and (slides[-1].takes(item) or not slides[-1].shown):
            slides[-1].shown.append(item)
        else:
            if len(said) > 2:
                last = said.pop()
                close()
                said.append(last)
            more(_points(said))
            slides[-1].shown.append(item)
    close()
    return slides


def point(text, count=1):
    """Return the sentences of a paragraph that a slide has.

    count  of the first ones

    One more where the last of these is short or asks, and the one that leads
    on to what follows.
    """
    every = SENTENCE.split(" ".join(text.split()))
    sentences = [one for one in every if one[0] != "("] or every
    last = sentences[:count][-1]
    if len(last) < SHORT or last.endswith("?"):
        count += 1
    led = sentences[count:][-1:]
    own = sentences[:count] + [one for one in led if one.endswith(":")]
    return " ".join(own)


def _points(said):
    """Return the points of paragraphs; what is in brackets has none."""
    return [point(text) for text in said if not text.startswith("(")]


def _listed(said):
    """Return the points as a list, if there are several."""
    points = _points(said)[:POINTS]
    mark = "- " if len(points) > 1 else ""
    return ["\n".join(mark + text for text in points)]


def _items(cells):
    """Yield what a page consists of, in its order.

    ("heading", text), ("text", a paragraph), ("shown", a cell)
    """
    aside = False
    for cell in cells[1:]:  # without the line that says where it is from
        tags = HIDDEN.union(["exercise"]).intersection(
            cell.metadata.get("tags", [])
        )
        if tags & HIDDEN:
            continue
        if cell.cell_type == "code":
            items = [("shown", one) for one in _halves(cell)]
        else:
            items = [("shown", cell)] if tags else _blocks(cell)
        for what, item in items:
            if what == "heading":
                aside = item.strip("# ") == ASIDE
            if not aside:
                yield what, item


def _halves(cell):
    """Return a cell of code, as two if code and figure are both large."""
    figure = any(IMAGE in one.get("data", {}) for one in cell.outputs)
    if not figure or cell.source.count("\n") < FEW:
        return [cell]
    code, seen = copy.deepcopy(cell), copy.deepcopy(cell)
    code.outputs = []
    seen.id += "-figure"
    seen.metadata["transient"] = {"remove_source": True}  # for nbconvert
    return [code, seen]


def _blocks(cell):
    """Yield the items of a cell of Markdown; what is folded is left out."""
    lines, folded, figure = cell.source.splitlines(), 0, None
    for token in MarkdownIt("commonmark").enable("table").parse(cell.source):
        if token.level or not token.map:
            continue
        text = "\n".join(lines[slice(*token.map)]).strip()
        was, markup = folded, token.type == "html_block"
        if markup:
            folded += text.count("<details") - text.count("</details>")
        if was or (markup and not MARKUP.match(text)):
            continue
        if figure and text.startswith("*") and text.endswith("*"):
            figure.source += f"\n\n{text}"  # its caption
            figure = None
            continue
        figure = None
        if token.type == "heading_open":
            yield "heading", text
        elif markup or token.type in SHOWN or FIGURE.match(text):
            figure = _cell(text)
            figure.attachments = cell.get("attachments", {})
            yield "shown", figure
        else:
            yield "text", text
