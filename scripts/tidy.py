#!/usr/bin/env python3
"""Check the form of the chapters' notebooks, and repair what can be.

    scripts/tidy.py                 check every notebook and _toc.yml
    scripts/tidy.py --fix FILE...   repair these notebooks, then check them
    scripts/tidy.py --advice        also name code cells over 15 lines

One line a finding: ``file: cell ID: what is wrong; repair: what to do``.
Exit status: 0 right, 1 findings, 2 a file that cannot be read.
"""

import argparse
import ast
import copy
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat
import yaml
from IPython.core.inputtransformer2 import TransformerManager

ROOT = Path(__file__).resolve().parents[1]
# Scripts run without an install: the lab sits beside the notebooks.
sys.path.insert(0, str(ROOT / "notebooks"))

from onthefly.results import write_atomically  # noqa: E402

# The one metadata block of a chapter.  Nothing that a run or an editor adds
# (versions, widgets, papermill's timings) belongs in git.
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
CELL_METADATA = {"tags", "mystnb"}
PARAMETERS = {"preset", "device", "seed"}
SECTIONS = (
    "What you will see",
    "What has changed since",
    "What we saw",
    "Exercises",
)

CELLS = (20, 45)
MARKDOWN_SHARE = (0.35, 0.65)
LINES, LINES_AIM = 25, 15
COLUMNS = 78

# The methods of a chapter that write on its page, and their arguments.
WRITES = {
    "figure": ("chart", "name"),
    "judge": ("claim", "quantity", "why"),
    "cannot": ("claim", "reason"),
}

ID = re.compile(r"[a-z]+(-[a-z0-9]+)*")
FILE_NAME = re.compile(r"\d\d(_[a-z0-9]+)+\.ipynb")
FIX = "scripts/tidy.py --fix"


class Unreadable(Exception):
    """A file that is not a notebook at all; its text is the finding."""


@dataclass(frozen=True)
class Finding:
    """One broken rule: where it is, what it is and how to repair it."""

    file: str
    where: str
    what: str
    repair: str
    advice: bool = False

    def __str__(self):
        place = f"{self.file}: {self.where}" if self.where else self.file
        kind = "advice: " if self.advice else ""
        return f"{place}: {kind}{self.what}; repair: {self.repair}"


# --- reading and repairing -------------------------------------------------


def read(path):
    """Return the notebook at `path` as a dict, or raise Unreadable."""
    try:
        nb = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unreadable(
            f"{path}: {error.strerror}; repair: name an existing notebook"
        ) from None
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"{path}: byte {error.start}: not UTF-8; "
            "repair: save it as UTF-8, or restore it from git"
        ) from None
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"{path}: line {error.lineno}, column {error.colno}: not JSON "
            f"({error.msg}); repair: mend it there (a merge conflict?), "
            "or restore it from git"
        ) from None
    if (
        not isinstance(nb, dict)
        or nb.get("nbformat") != 4
        or not isinstance(nb.get("nbformat_minor"), int)
    ):
        raise Unreadable(
            f"{path}: not a notebook of format 4; "
            "repair: jupyter nbconvert --to notebook --nbformat 4"
        )
    cells = nb.get("cells")
    if not isinstance(cells, list) or not all(map(_is_cell, cells)):
        raise Unreadable(
            f"{path}: cells: not a list of cells with a source; "
            "repair: restore it from git"
        )
    for cell in cells:
        cell["source"] = "".join(cell["source"])
    return nb


def _is_cell(cell):
    """Say whether `cell` has the shape that every rule relies on."""
    if not isinstance(cell, dict) or "cell_type" not in cell:
        return False
    lines, meta = cell.get("source"), cell.get("metadata", {})
    return (
        isinstance(lines, str)
        or (isinstance(lines, list) and all(type(x) is str for x in lines))
    ) and isinstance(meta, dict)


def repaired(nb):
    """Return `nb` in canonical form; what only a person can mend stays."""
    nb = copy.deepcopy(nb)
    nb["metadata"] = copy.deepcopy(METADATA)
    nb["nbformat_minor"] = max(5, nb["nbformat_minor"])
    for cell in nb["cells"]:
        meta = cell.get("metadata", {})
        cell["metadata"] = {k: meta[k] for k in CELL_METADATA & meta.keys()}
        if not cell["metadata"].get("tags", True):
            del cell["metadata"]["tags"]
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    _name_cells(nb["cells"])
    return nb


def _name_cells(cells):
    """Give a readable id to each cell whose id is none, in place."""
    taken = {cell["id"] for cell in cells if _good_id(cell.get("id"))}
    seen, section = set(), "start"
    for cell in cells:
        heading = _heading(cell)
        section = slug(heading) or section
        if not _good_id(cell.get("id")) or cell["id"] in seen:
            stem = _id_stem(cell, section, bool(heading))
            cell["id"] = _free(stem, taken)
            taken.add(cell["id"])
        seen.add(cell["id"])


def _good_id(name):
    return isinstance(name, str) and len(name) <= 64 and ID.fullmatch(name)


def _id_stem(cell, section, is_heading):
    """Return what a cell is about, as the stem of its id."""
    if "parameters" in tags(cell):
        return "parameters"
    if cell["cell_type"] != "code":
        return section if is_heading else f"{section}-text"
    defined = re.search(r"^def ([a-z]\w*)", cell["source"], re.M)
    drawn = re.search(r"\.figure\(\s*\w+,\s*\"([\w-]+)\"", cell["source"])
    name = (drawn or defined)[1] if drawn or defined else ""
    return slug(name) or f"{section}-code"


def _free(stem, taken):
    """Return `stem`, or `stem` with the first number that is not taken."""
    if stem not in taken:
        return stem
    n = 2
    while f"{stem}-{n}" in taken:
        n += 1
    return f"{stem}-{n}"


def slug(text):
    """Return `text` as at most five lower-case words joined by hyphens."""
    words = re.findall(r"[a-z0-9]+", text.lower().replace("'", ""))
    while words and not words[0].isalpha():
        words.pop(0)
    return "-".join(words[:5])[:50].rstrip("-")


def dumps(nb):
    """Return the canonical text of a notebook."""
    return nbformat.v4.writes(nbformat.from_dict(nb)).rstrip("\n") + "\n"


def fix(path):
    """Repair the notebook at `path`; return whether it was changed."""
    text = dumps(repaired(read(path)))
    if text == path.read_text(encoding="utf-8"):
        return False
    write_atomically(path.resolve(), text)
    return True


# --- looking into cells ----------------------------------------------------


def tags(cell):
    """Return the tags of a cell."""
    return cell.get("metadata", {}).get("tags") or []


def _heading(cell):
    """Return the first heading of a markdown cell, or ""."""
    if cell["cell_type"] != "markdown":
        return ""
    found = re.search(r"^#+ +(.+)$", without_code(cell["source"]), re.M)
    return found[1] if found else ""


def parse(source):
    """Return the syntax tree of a code cell, magics included."""
    return ast.parse(TransformerManager().transform_cell(source))


def _blank(match):
    """Replace a match by dots, so that lines and columns stay."""
    return re.sub(r"[^\n]", "·", match[0])


_FENCE = re.compile(r"\s*(`{3,}|~{3,}|:{3,})\s*([^`]*?)\s*")
# A fence holds code unless it is a directive, and so do these directives.
_VERBATIM = re.compile(
    r"\{(code|math|raw|eval-rst|literalinclude|bibliography|mermaid)"
)
_NOT_PROSE = [
    re.compile(r"<!--.*?-->", re.S),
    re.compile(r"^\s*[`~:]{3,}(?:\{[\w-]+\})?", re.M),
    re.compile(r"^:[\w-]+:.*$", re.M),  # options of a directive
    re.compile(r"(?:\{[\w:+-]+\})?(`+)(?!`).+?(?<!`)\1(?!`)", re.S),
    re.compile(r"\$\$.+?\$\$", re.S),
    re.compile(r"(?<!\\)\$[^$\n]+(?:\n[^$\n]+)*\$"),
    re.compile(r"!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])"),
    re.compile(r"<(?:/?[a-zA-Z]|https?:)[^>\n]*>"),
]


def without_code(markdown):
    """Return `markdown` with code and formulas in fences blanked.

    The words inside of other directives, such as a note, stay.
    """
    lines, fences = [], []  # fences: (bar, holds code) of each open one
    for line in markdown.split("\n"):
        fence = _FENCE.fullmatch(line)
        bar, info = fence.groups() if fence else ("", "")
        inside = bool(fences) and fences[-1][1]
        closes = fences and bar.startswith(fences[-1][0]) and not info
        if bar and closes:
            fences.pop()
            line = ""
        elif bar and not inside and (info or bar[0] != ":"):
            code = info[:1] != "{" or bool(_VERBATIM.match(info))
            fences.append((bar, code))
            line = "" if code else line
        elif inside:
            line = ""
        lines.append(line)
    return "\n".join(lines)


def prose(markdown):
    """Return `markdown` with all blanked that is not a writer's words.

    Code, roles such as ``{glue:text}``, formulas, links, HTML and the
    options of directives become dots; lines keep their numbers.
    """
    text = without_code(markdown)
    for pattern in _NOT_PROSE:
        text = pattern.sub(_blank, text)
    return text


# What a machine produces: a number with a unit, a share or a comparison.
_DIGITS = r"\d(?:[\d.,]*\d)?"
_N = rf"(?<![\w.^]){_DIGITS}(?:\s*(?:[-–±]|to)\s*{_DIGITS})?"
_COUNT = (
    rf"(?:{_DIGITS}|two|three|four|five|six|seven|eight|nine|ten|twelve|"
    r"twenty|thirty|forty|fifty|hundred|a hundred|thousand|a thousand)"
)
_FAST = r"(?:fast|slow|quick|long)"
_UNIT = (
    r"(?:[nµμum]s|s|min(?!\()|h|(?:nano|micro|milli)?sec(?:ond)?s?|minutes?|"
    r"hours?|[kKMGT]i?B|[kMG]Hz|[kMGT]?FLOPS?|[kMGT]?flop/s|cycles)"
)
_TYPED = [
    re.compile(rf"{_N}(?:\s*×|\s?x\b)(?!\s*\d)"),
    re.compile(
        rf"{_N}\s*(?:%|percent\b|per cent\b)"
        r"(?!\s+(?:\w+\s+)?(?:interval|confidence|quantile|level))"
    ),
    re.compile(rf"{_N}\s+{_UNIT}\b|{_N}{_UNIT}(?<!\ds)\b|\d\.\d+s\b"),
    re.compile(rf"{_N}\s*(?:/\s?s|per second)\b"),
    re.compile(
        rf"\b(?:twice|thrice|half|{_COUNT}[ -]?(?:times|fold))\s+"
        rf"(?:as\s+{_FAST}|(?:{_FAST}|short)er)\b",
        re.I,
    ),
    re.compile(rf"\b{_COUNT}-?fold\s+(?:speed|faster|slower)", re.I),
    re.compile(
        rf"\bspeed-?ups?\s+(?:of|is|was)\s+(?:\w+\s+)?{_COUNT}\b", re.I
    ),
    re.compile(rf"\borders? of magnitude\s+{_FAST}er\b", re.I),
    re.compile(rf"{_N}\s+(?:out )?of\s+\d+\s+(?:runs|times|trials|repeats)"),
]


def typed_numbers(text):
    """Return (line, words) of each machine number typed in plain `text`."""
    found = {}
    for pattern in _TYPED:
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.setdefault(line, " ".join(match[0].split()))
    return sorted(found.items())


# --- rules for a notebook --------------------------------------------------


def check(path, name=None):
    """Return the findings of one notebook; `name` is how they call it.

    Raises Unreadable where the file is no notebook.
    """
    nb = read(path)
    found = list(_broken_rules(nb))
    if not FILE_NAME.fullmatch(path.name):
        repair = "call it NN_topic.ipynb, as 10_method.ipynb"
        found.insert(0, (None, "file name", repair))
    same = dumps(repaired(nb)) == path.read_text(encoding="utf-8")
    if not same and not any(FIX in rest for _, *rest in found):
        found.append((None, "text not in canonical form", FIX))
    return [
        Finding(name or str(path), _place(nb, cell), *rest)
        for cell, *rest in found
    ]


def _broken_rules(nb):
    """Yield (cell or None, what, repair) of each rule that `nb` breaks."""
    invalid = _invalid(nb)
    if invalid:
        yield None, f"not valid: {invalid}", "restore it from git"
        return
    for rule in (_form, _ids, _grain, _title, _sections, _parameters):
        yield from rule(nb)
    for cell in nb["cells"]:
        rule = {"code": _code, "markdown": _markdown}.get(cell["cell_type"])
        for rest in rule(cell) if rule else ():
            yield cell, *rest


def _place(nb, cell):
    """Return "cell ID", or "cell N" counted from 1, or "" for none."""
    if cell is None:
        return ""
    n = next(n for n, other in enumerate(nb["cells"], 1) if other is cell)
    return f"cell {cell['id'] if _good_id(cell.get('id')) else n}"


def _invalid(nb):
    """Return what the schema has against `nb` once ids are in order."""
    trial = repaired(nb)
    for n, cell in enumerate(trial["cells"]):
        cell["id"] = f"cell-{n}"
    try:
        nbformat.validate(nbformat.from_dict(trial))
    except nbformat.ValidationError as error:
        return str(error).split("\n\n")[0].replace("\n", " ")
    return ""


def _form(nb):
    """Format version, outputs, counts, metadata."""
    if nb["nbformat_minor"] < 5:
        yield None, f"format 4.{nb['nbformat_minor']}, not 4.5", FIX
    if nb.get("metadata") != METADATA:
        yield None, "metadata differs from the book's one block", FIX
    for cell in nb["cells"]:
        stray = cell.get("metadata", {}).keys() - CELL_METADATA
        if stray:
            yield cell, f"metadata {', '.join(sorted(stray))}", FIX
        if cell.get("outputs"):
            yield cell, f"{len(cell['outputs'])} outputs kept", FIX
        if cell.get("execution_count") is not None:
            yield cell, f"execution count {cell['execution_count']}", FIX
        if "injected-parameters" in tags(cell):
            yield cell, "parameters of a run", "delete the cell"


def _ids(nb):
    """Each cell has an id of its own that a person can read."""
    seen = set()
    for cell in nb["cells"]:
        name = cell.get("id")
        if name is None:
            yield cell, "no id", FIX
        elif not _good_id(name):
            yield cell, f"id {name!r} is not words with hyphens", FIX
        elif name in seen:
            yield cell, "id used twice", FIX
        seen.add(str(name))


def _grain(nb):
    """Number of cells, and how many of them are prose."""
    count, (low, high) = len(nb["cells"]), CELLS
    if not low <= count <= high:
        what = "split or add steps" if count < low else "move work to the lab"
        yield None, f"{count} cells, not {low} to {high}", what
    text = sum(cell["cell_type"] == "markdown" for cell in nb["cells"])
    share, (low, high) = text / max(count, 1), MARKDOWN_SHARE
    if not low <= share <= high:
        what = "explain more" if share < low else "show more by code"
        rule = f"{text} of {count} cells are prose, not about half"
        yield None, rule, what


def _title(nb):
    """The first cell opens with the only title, which has no number."""
    first = nb["cells"][0] if nb["cells"] else None
    titled = [c for c in nb["cells"] for _ in _titles(c)]
    if first is None or not titled or titled[0] is not first:
        yield first, "does not start with a title", 'open with "# Title"'
    for cell in titled[1:]:
        yield cell, "a second title", 'begin the heading with "##"'
    for title in _titles(first) if first else ():
        if re.match(r"\d+(\s|[.:)–-])|.*\bchapter \d", title, re.I):
            yield first, "chapter number in the title", "leave it to _toc.yml"


def _titles(cell):
    """Return the texts of the first-level headings of a cell."""
    if cell["cell_type"] != "markdown":
        return []
    return re.findall(r"^# +(.+)$", without_code(cell["source"]), re.M)


def _sections(nb):
    """The sections that every chapter has."""
    text = "\n".join(
        without_code(cell["source"])
        for cell in nb["cells"]
        if cell["cell_type"] == "markdown"
    )
    for section in SECTIONS:
        opening = rf"^(?:##+ +|\*\*|[:`]{{3,}}\{{[\w-]+\}} *){section}"
        if not re.search(opening, text, re.M | re.I):
            yield None, f'no section "{section}"', f'add "## {section}"'


def _parameters(nb):
    """One tagged cell that sets preset, device and seed, and no more."""
    tagged = [c for c in nb["cells"] if "parameters" in tags(c)]
    if len(tagged) != 1 or tagged[0]["cell_type"] != "code":
        yield (
            tagged[1] if len(tagged) > 1 else None,
            f"{len(tagged)} cells tagged parameters, not one code cell",
            "tag the one code cell that sets preset, device and seed",
        )
        return
    try:
        names = [_plain_name(s) for s in parse(tagged[0]["source"]).body]
    except SyntaxError:
        return  # named by _code
    if sorted(map(str, names)) != sorted(PARAMETERS):
        yield (
            tagged[0],
            "parameters other than preset, device and seed",
            "set these three to plain values, the rest in the next cell",
        )


def _plain_name(statement):
    """Return the name that `statement` sets to a constant, or None."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    else:
        return None
    plain = isinstance(statement.value, ast.Constant)
    return target.id if plain and isinstance(target, ast.Name) else None


# --- rules for a cell ------------------------------------------------------


def _code(cell):
    """Yield what is wrong with a code cell."""
    lines = cell["source"].strip("\n").split("\n")
    if len(lines) > LINES_AIM:
        rule = f"{len(lines)} lines, not {LINES} at most"
        aim = f"{len(lines)} lines, more than {LINES_AIM}"
        advice = len(lines) <= LINES
        yield aim if advice else rule, "move work to the lab", advice
    for n, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            what = f"line {n}: {len(line)} columns, not {COLUMNS} at most"
            yield what, "ruff format, or break the line"
    if "allow_errors" in cell["source"]:
        yield "allow_errors", "mend the cell; see CONTRIBUTING.md"
    try:
        tree = parse(cell["source"])
    except SyntaxError as error:
        if "raises-exception" not in tags(cell):
            yield f"line {error.lineno}: {error.msg}", "mend the code"
        return
    for node in ast.walk(tree):
        yield from _node(node)


def _node(node):
    """Yield what is wrong with one node of a code cell's syntax tree."""
    if isinstance(node, ast.ExceptHandler) and node.type is None:
        yield f"line {node.lineno}: bare except", "name the exception"
    if not isinstance(node, ast.Call):
        return
    method = getattr(node.func, "attr", None)
    owner = getattr(getattr(node.func, "value", None), "id", None)
    if owner in ("plt", "pyplot") or method not in WRITES:
        return
    words = dict(zip(WRITES[method], node.args, strict=False))
    words |= {k.arg: k.value for k in node.keywords}
    if method == "figure" and not _has_alt(words):
        what = f"line {node.lineno}: figure without alt text"
        yield what, 'give alt="the finding in numbers"'
    for name in ("alt", "caption", "why", "reason"):
        for part in ast.walk(words[name]) if name in words else ():
            text = part.value if isinstance(part, ast.Constant) else ""
            for _, typed in typed_numbers(text if type(text) is str else ""):
                what = f'line {part.lineno}: typed number "{typed}" in {name}'
                yield what, "use an f-string with the measured value"


def _has_alt(words):
    """Say whether the keywords of a figure hold an alt text."""
    alt = words.get("alt")
    empty = isinstance(alt, ast.Constant) and not str(alt.value or "").strip()
    return None in words or (alt is not None and not empty)


_NUMBERED_LINK = re.compile(
    r"\]\([^)\s]*\d\d_\w+[^)]*\)"
    r"|\{(?:doc|ref|numref|any|download)\}`[^`]*\b\d\d_\w+[^`]*`"
    r"|\b[Cc]hapters? \d+"
)


def _markdown(cell):
    """Yield what is wrong with a markdown cell."""
    text = without_code(cell["source"])
    for match in _NUMBERED_LINK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        what = f'line {line}: link by chapter number "{match[0]}"'
        yield what, "link by label, {ref}`gil-races`"
    for line, words in typed_numbers(prose(cell["source"])):
        what = f'line {line}: typed machine number "{words}"'
        yield (
            what,
            "glue it from the run; what is set and not measured is a "
            "formula, $95\\,\\%$",
        )


# --- the table of contents -------------------------------------------------


def check_toc(root):
    """Yield the findings of `root`/_toc.yml against `root`/notebooks.

    Raises Unreadable where the file cannot be parsed.
    """
    path = root / "_toc.yml"
    try:
        toc = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unreadable(
            f"_toc.yml: {error.strerror}; repair: restore it from git"
        ) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        raise Unreadable(
            f"_toc.yml: {place}not YAML; repair: mend it there"
        ) from None
    listed = {name.removesuffix(".ipynb") for name in _entries(toc)}
    listed = {name for name in listed if name.startswith("notebooks/")}
    there = {f"notebooks/{path.stem}" for path in notebooks(root)}
    for name in sorted(there - listed):
        what = f"{name}.ipynb is not listed"
        yield Finding("_toc.yml", "", what, f'add "- file: {name}"')
    for name in sorted(listed - there):
        what = f"{name} does not exist"
        yield Finding("_toc.yml", "", what, "delete the entry, or write it")


def _entries(node):
    """Yield every file that a table of contents names."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("file", "root") and isinstance(value, str):
                yield value
            yield from _entries(value)
    elif isinstance(node, list):
        for value in node:
            yield from _entries(value)


def notebooks(root):
    """Return the paths of the chapters under `root`, in order."""
    return sorted((root / "notebooks").glob("*.ipynb"))


# --- the command -----------------------------------------------------------


def main(argv=None):
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        description="Check the form of the notebooks, or repair it."
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--fix", action="store_true", help="repair")
    parser.add_argument(
        "--advice",
        action="store_true",
        help=f"also name code cells over {LINES_AIM} lines",
    )
    parser.add_argument(
        "--root", type=Path, default=ROOT, help="the book (default: here)"
    )
    args = parser.parse_args(argv)
    findings, broken = [], 0
    for path in args.files or notebooks(args.root):
        name = _shown(path, args.root)
        try:
            if args.fix and fix(path):
                print(f"{name}: repaired")
            findings += check(path, name)
        except Unreadable as error:
            print(str(error).replace(str(path), name, 1))
            broken += 1
    if not args.files:
        try:
            findings += check_toc(args.root)
        except Unreadable as error:
            print(error)
            broken += 1
    findings = [f for f in findings if args.advice or not f.advice]
    for finding in findings:
        print(finding)
    if broken:
        return 2
    return int(any(not finding.advice for finding in findings))


def _shown(path, root):
    """Return `path` as a reader in `root` would write it."""
    try:
        return str(path.resolve().relative_to(root.resolve()))
    except ValueError:
        return str(path)


if __name__ == "__main__":
    sys.exit(main())
