"""The rules for a notebook as a whole.

Each yields (cell or None, what is wrong, the repair).
"""

import re

import nbformat

from form import canonical, cells, exercises, folded, names
from form.finding import FIX, Finding
from form.markdown import passages
from onthefly.provenance import PAGE, slug_of
from onthefly.refused import Refused
from reading import notebooks

PARAMETERS = {"preset", "device", "seed"}
IN_SHORT = "In short"  # the title of an admonition in a page's first cell
SECTIONS = ("Rules of thumb", "Exercises")
MEASURES = re.compile(
    r"\bclock\.(measure|sample|seconds)\b|"
    r"\bbook\.(measure|measured_or_recorded)\b|%%?time(it)?\b"
)


def check(path, name=None):
    """Return the Findings of one notebook; `name` is how they call it.

    Raises Refused where the file is no notebook.
    """
    name = name or str(path)
    notebook = notebooks.read(path, name)
    found = list(_broken(notebook, slug_of(path)))
    if not PAGE.fullmatch(path.stem):
        repair = "call it NN_topic.ipynb, or case_topic.ipynb"
        found.insert(0, (None, "file name", repair))
    text = canonical.dumps(canonical.repaired(notebook))
    same = text == path.read_text(encoding="utf-8")
    if not same and not any(FIX in rest for _, *rest in found):
        found.append((None, "text not in canonical form", FIX))
    return [
        Finding(name, _place(notebook, cell), *rest) for cell, *rest in found
    ]


def _place(notebook, cell):
    """Return "cell ID", or "cell N" counted from 1, or "" for none."""
    if cell is None:
        return ""
    counted = enumerate(notebook["cells"], 1)
    number = next(n for n, other in counted if other is cell)
    good = canonical.good_id(cell.get("id"))
    return f"cell {cell['id'] if good else number}"


def _broken(notebook, slug):
    """Yield what is wrong in a notebook and in its cells."""
    if invalid := _invalid(notebook):
        yield None, f"not valid: {invalid}", "restore it from git"
        return
    for rule in (
        _form,
        _times,
        _ids,
        _title,
        _answer,
        _sections,
        _parameters,
    ):
        yield from rule(notebook)
    yield from folded.broken(notebook)
    yield from exercises.broken(notebook, slug)
    yield from names.broken(notebook)
    for cell in notebook["cells"]:
        for rest in cells.broken(cell):
            yield cell, *rest


def _invalid(notebook):
    """Return what the schema has against it once ids are in order."""
    trial = canonical.repaired(notebook)
    for n, cell in enumerate(trial["cells"]):
        cell["id"] = f"cell-{n}"
    try:
        nbformat.validate(nbformat.from_dict(trial))
    except nbformat.ValidationError as error:
        return str(error).split("\n\n")[0].replace("\n", " ")
    return ""


def _form(notebook):
    """Format version, outputs, counts, metadata."""
    if notebook["nbformat_minor"] < 5:
        yield None, f"format 4.{notebook['nbformat_minor']}, not 4.5", FIX
    if notebook.get("metadata") != canonical.metadata(notebook):
        yield None, "metadata differs from the book's one block", FIX
    for cell in notebook["cells"]:
        stray = cell["metadata"].keys() - canonical.CELL_METADATA
        if stray:
            yield cell, f"metadata {', '.join(sorted(stray))}", FIX
        if cell.get("outputs"):
            yield cell, f"{len(cell['outputs'])} outputs kept", FIX
        if cell.get("execution_count") is not None:
            yield cell, f"execution count {cell['execution_count']}", FIX
        if "injected-parameters" in notebooks.tags(cell):
            yield cell, "parameters of a run", "delete the cell"


def _times(notebook):
    """A page that is declared to time nothing does not."""
    if notebooks.times(notebook):
        return
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and MEASURES.search(cell["source"]):
            yield (
                cell,
                "a measurement, though the page is declared to time nothing",
                "delete onthefly.times from the notebook's metadata",
            )


def _ids(notebook):
    """Each cell has an id of its own that a person can read."""
    seen = set()
    for cell in notebook["cells"]:
        name = cell.get("id")
        if name is None:
            yield cell, "no id", FIX
        elif not canonical.good_id(name):
            yield cell, f"id {name!r} is not words with hyphens", FIX
        elif name in seen:
            yield cell, "id used twice", FIX
        seen.add(str(name))


def _prose(notebook):
    """Yield (cell, Passage) of all Markdown cells, in their order."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for passage in passages(cell["source"]):
                yield cell, passage


def _title(notebook):
    """The first cell opens with the only title, which has no number."""
    first = notebook["cells"][0] if notebook["cells"] else None
    titles = [(c, p.words) for c, p in _prose(notebook) if p.level == 1]
    if not titles or titles[0][0] is not first:
        yield first, "does not start with a title", 'open with "# Title"'
    for cell, words in titles:
        if re.match(r"\d+(\s|[.:)–-])|.*\bchapter \d", words, re.I):
            yield cell, "chapter number in the title", "leave it to _toc.yml"
    for cell, _ in titles[1:]:
        yield cell, "a second title", 'begin the heading with "##"'


def _answer(notebook):
    """The first cell holds the page's answer."""
    first = notebook["cells"][0] if notebook["cells"] else None
    for cell, p in _prose(notebook):
        if cell is first and p.title and p.words == IN_SHORT:
            return
    yield (
        first,
        "does not open with its answer",
        f'add ":::{{admonition}} {IN_SHORT}" behind the title',
    )


def _sections(notebook):
    """The sections that every page has."""
    openings = [
        (p.opening or p.words).lower()
        for _, p in _prose(notebook)
        if p.level > 1 or p.opening or p.title
    ]
    for section in SECTIONS:
        if not any(text.startswith(section.lower()) for text in openings):
            yield None, f'no section "{section}"', f'add "## {section}"'


def _parameters(notebook):
    """One tagged cell that sets preset, device and seed, and no more."""
    try:
        names = notebooks.parameters(notebook, "it").keys()
    except Refused as error:
        what, _, repair = str(error).removeprefix("it: ").partition("; ")
        yield None, what, repair
        return
    if names != PARAMETERS:
        yield (
            None,
            f"parameters {', '.join(sorted(names))}, not preset, device and "
            "seed",
            "set these three, the rest in the next cell",
        )
