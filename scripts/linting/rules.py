"""The rules for a notebook as a whole.

Each yields (cell or None, what is wrong, the repair).
"""

import ast
from dataclasses import dataclass

import nbformat

from linting import (
    canonical,
    code,
    drawings,
    exercises,
    measurements,
    module,
    names,
    needs,
    numbers,
    prose,
)
from onthefly import files
from onthefly.errors import UserError
from onthefly.page.checkout import PAGE, module_beside, name_of, slug_of
from reading import notebooks, paths, toc

FIX = "scripts/tidy.py --fix"
PARAMETERS = {"preset", "device", "seed", "data"}
SECTIONS = ("Rules of thumb", "Exercises")
REMOVED = canonical.REMOVED
NO_TAGS = {"hide-input", "hide-cell", "hide-output", "remove-input"}
CONCLUDE = "book.conclude"


@dataclass(frozen=True)
class Finding:
    """One broken rule.

    file    what a reader calls the file
    where   the place in it, as "cell lock-cost", or ""
    repair  what to do, `FIX` where a command does it
    """

    file: str
    where: str
    what: str
    repair: str

    def __str__(self):
        place = f"{self.file}: {self.where}" if self.where else self.file
        return f"{place}: {self.what}; repair: {self.repair}"


def check(path, name=None):
    """Return the Findings of one notebook; `name` is how they call it.

    Raises UserError where the file is no notebook.
    """
    name = name or str(path)
    notebook = notebooks.read(path, name)
    if invalid := _invalid(notebook):
        what = f"not valid: {invalid}"
        return [Finding(name, "", what, "restore it from git")]
    reports = [report for rule in RULES for report in rule(notebook)]
    reports += exercises.broken(notebook, slug_of(path))
    reports += _slug(notebook, slug_of(path))
    reports += module.broken(notebook, module_beside(path))
    if not PAGE.fullmatch(name_of(path)):
        repair = "call it PART/TOPIC.ipynb, in lower case"
        reports.append((None, "file name", repair))
    if canonical.text(notebook) != path.read_text(encoding="utf-8"):
        what = "ids, outputs, counts, metadata or spaces are not canonical"
        reports.append((None, what, FIX))
    return [
        Finding(name, _place(notebook, cell), *rest)
        for cell, *rest in reports
    ]


def check_contents(root):
    """Yield the Findings of `root`/_toc.yml against `root`/notebooks.

    Raises UserError where it is no table of contents.
    """
    listed = set(toc.chapters(root))
    folder = root / toc.FOLDER
    written = {
        path.relative_to(folder).with_suffix("").as_posix()
        for path in notebooks.paths(root)
    }
    for page in sorted(written - listed):
        name = f"{toc.FOLDER}{page}"
        what = f"{name}.ipynb is not listed"
        yield Finding(toc.NAME, "", what, f'add "- file: {name}"')
    yield from _unnamed(root, written)
    for page in sorted(listed - written):
        what = f"{toc.FOLDER}{page} does not exist"
        yield Finding(toc.NAME, "", what, "delete the entry, or write it")


def _unnamed(root, written):
    """Yield the Findings of pages without a title, or a line, of theirs."""
    ledger = root / "book" / "claims.yml"
    if not ledger.exists():
        return
    titles = files.yaml_data(ledger)["chapters"]
    parts = paths.parts(root / "book" / "parts.yml").values()
    listed = {page for part in parts for page in part.pages}
    for page in sorted(written):
        slug = page.rpartition("/")[2].replace("_", "-")
        if slug not in titles:
            repair = f"add under chapters: {slug}: its title"
            yield Finding(
                "book/claims.yml", "", f"no title of {slug}", repair
            )
        if f"{toc.FOLDER}{page}" not in listed:
            repair = "add it with a line on what it is about"
            yield Finding("book/parts.yml", "", f"{page} is missing", repair)


def _place(notebook, cell):
    """Return "cell ID", or "cell N" counted from 1, or "" for none."""
    if cell is None:
        return ""
    if canonical.good_id(cell.get("id")):
        return f"cell {cell['id']}"
    counted = enumerate(notebook["cells"], 1)
    return f"cell {next(n for n, other in counted if other is cell)}"


def _invalid(notebook):
    """Return what the schema has against it once its text is canonical."""
    try:
        nbformat.validate(nbformat.reads(canonical.text(notebook), 4))
    except (nbformat.ValidationError, AttributeError) as error:
        return str(error).split("\n\n")[0].replace("\n", " ")
    return ""


def _cells(notebook, kind):
    """Return the cells of a kind, "code" or "markdown"."""
    return [c for c in notebook["cells"] if c["cell_type"] == kind]


def _prose(notebook):
    """Yield (cell, Passage) of all Markdown cells, in their order."""
    for cell in _cells(notebook, "markdown"):
        for passage in prose.passages(cell["source"]):
            yield cell, passage


def _opening(notebook):
    """The first cell holds the only title, and a paragraph: the point."""
    first = notebook["cells"][0] if notebook["cells"] else None
    titles = [cell for cell, p in _prose(notebook) if p.level == 1]
    if not titles or titles[0] is not first:
        yield first, "does not start with a title", 'open with "# Title"'
    for cell in titles[1:]:
        yield cell, "a second title", 'begin the heading with "##"'
    if not any(cell is first and not p.level for cell, p in _prose(notebook)):
        repair = "say in the first cell what the page is about"
        yield first, "does not open with its point", repair


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
    """One tagged cell that sets the page's parameters, and no more."""
    try:
        names = notebooks.parameters(notebook, "it").keys()
    except UserError as error:
        what, _, repair = str(error).removeprefix("it: ").partition("; ")
        yield None, what, repair
        return
    if names != PARAMETERS:
        yield (
            None,
            f"parameters {', '.join(sorted(names))}, not preset, device, "
            "seed and data",
            "set these four, the rest in the next cell",
        )


def _form(notebook):
    """Cells are shown or not on the page; the last one concludes."""
    cells = _cells(notebook, "code")
    for cell in cells:
        tags = set(notebooks.tags(cell))
        for tag in sorted(tags & NO_TAGS):
            yield cell, f"tag {tag}", f"show the cell, or tag it {REMOVED}"
        calls = {
            ast.unparse(node.func)
            for node in ast.walk(code.parse(cell["source"]))
            if isinstance(node, ast.Call)
        }
        plumbing = "parameters" in tags or calls & {"Chapter", CONCLUDE}
        if plumbing and REMOVED not in tags:
            what = "the parameters, set-up or end of the page is shown"
            yield cell, what, f'tag it "{REMOVED}"'
    last = notebook["cells"][-1] if notebook["cells"] else None
    lines = last["source"].strip().splitlines() if last else []
    if f"{CONCLUDE}(globals())" not in lines[-1:]:
        repair = f"end with a cell {CONCLUDE}(globals())"
        yield last, "does not end with its conclusions", repair
    asked = {
        expression
        for cell in _cells(notebook, "markdown")
        for _, expression in prose.expressions(cell["source"])
    }
    if "measurements" not in asked:
        repair = "add {eval}`measurements` as the last paragraph"
        yield None, "does not show its measurements", repair


def _slug(notebook, slug):
    """Yield what is wrong where the Chapter has not the page's slug."""
    for cell in _cells(notebook, "code"):
        for node in ast.walk(code.parse(cell["source"])):
            named = isinstance(node, ast.Call) and node.args
            if named and getattr(node.func, "id", "") == "Chapter":
                given = getattr(node.args[0], "value", slug)
                if given != slug:
                    what = f"the Chapter is called {given!r}"
                    yield cell, what, f"call it {slug!r}, as the file"


def _typed(notebook):
    """No number that a machine produces is typed."""
    for cell, passage in _prose(notebook):
        for line, words in numbers.typed(passage.words):
            line += passage.line - 1
            yield (
                cell,
                f'line {line}: typed machine number "{words}"',
                "take it from the run, {eval}`gain`; what is set and not "
                "measured is a formula, $95\\,\\%$",
            )


def _evaluated(notebook):
    """Each {eval} is a role, and an expression that Python reads."""
    for cell in _cells(notebook, "markdown"):
        for line, expression in prose.expressions(cell["source"]):
            try:
                ast.parse(expression, mode="eval")
            except (SyntaxError, ValueError) as error:
                what = f"{{eval}}`{expression}` is no expression"
                yield (
                    cell,
                    f"line {line}: {what}: {error.args[0]}",
                    "write one that Python reads",
                )
    for cell, passage in _prose(notebook):
        if (place := passage.words.find("{eval}")) >= 0:
            line = passage.line + passage.words.count("\n", 0, place)
            yield (
                cell,
                f"line {line}: {{eval}} that is no role",
                "write {eval}`gain`: around a backtick two of them, within "
                "a table no |, within HTML none",
            )


RULES = [
    _opening,
    _sections,
    _parameters,
    _form,
    _typed,
    _evaluated,
    drawings.broken,
    measurements.broken,
    names.broken,
    needs.broken,
]
