"""What is asked of a run, and what of it is done already.

Reads the chapters, refuses a bad request before anything runs, and tells by
a fingerprint whether a chapter's last run still holds.  Nothing heavy is
imported here, so that a run with nothing to do ends at once; engine.py runs
a chapter.
"""

import ast
import dataclasses
import difflib
import hashlib
import json
import os
import pathlib
import platform
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[1]
# The scripts work from a bare checkout: the lab need not be installed.
sys.path.insert(0, str(ROOT / "notebooks"))

from onthefly import machine, presets  # noqa: E402 (needs the line above)

DEVICES = ("auto", "cpu", "cuda")
LEDGER = ROOT / "book" / "claims.yml"
RECORDED = ROOT / "book" / "results"
EXAMPLES = ROOT / "book" / "examples"


class BadRequest(Exception):
    """Why nothing was run: one line with the thing, place and repair."""


@dataclasses.dataclass(frozen=True)
class Request:
    """What the command line asks for; every folder is absolute.

    limit       seconds that a chapter may take
    parameters  {name: value} of parameters other than preset and device
    """

    preset: str
    device: str
    limit: float
    notebooks: pathlib.Path
    build: pathlib.Path
    results: pathlib.Path
    parameters: dict
    force: bool = False


@dataclasses.dataclass(frozen=True)
class Chapter:
    """A chapter's notebook as it is written.

    cells     its cells, as in the file
    defaults  {name: value} of its parameters
    """

    path: pathlib.Path
    cells: list
    defaults: dict

    @property
    def slug(self):
        return slug_of(self.path)

    def changed(self, parameters):
        """Return those parameters that differ from the defaults.

        papermill adds a cell for them, which the reader sees.
        """
        given = parameters.items()
        return {k: v for k, v in given if v != self.defaults.get(k)}


@dataclasses.dataclass(frozen=True)
class Job:
    """A chapter, how it is to run, and what its last run left.

    fingerprint  what its page would be made from (see fingerprint)
    stamp        the record of its last finished run, {} where none is
    """

    chapter: Chapter
    request: Request
    fingerprint: str
    stamp: dict

    @property
    def partial(self):
        """Where the notebook is while it runs, or after a failure."""
        return self.request.build / "partial" / self.chapter.path.name

    @property
    def log(self):
        """Where the kernel's own messages go."""
        return self.partial.with_suffix(".log")

    @property
    def executed(self):
        """Where the finished notebook goes."""
        return self.request.build / "executed" / self.chapter.path.name

    @property
    def results(self):
        """Where the chapter stores what it measured."""
        return results_of(self.chapter, self.request)

    @property
    def parameters(self):
        """What papermill injects."""
        named = {"preset": self.request.preset, "device": self.request.device}
        return named | self.request.parameters

    @property
    def expected(self):
        """The seconds to expect, or None where no run tells."""
        same = self.stamp.get("preset") == self.request.preset
        return self.stamp.get("duration_s") if same else None

    def is_current(self):
        """Tell whether the last run's files are whole and would be equal."""
        return (
            self.stamp.get("fingerprint") == self.fingerprint
            and self.stamp.get("notebook_sha256") == _hash(self.executed)
            and self.stamp.get("results_sha256") == _hash(self.results)
        )

    def new_stamp(self, started, seconds):
        """Return the record of a run whose notebook is in `executed`.

        `started` is ISO 8601 in UTC.
        """
        values = self.chapter.defaults | self.parameters
        return {
            "chapter": self.chapter.slug,
            "notebook": self.chapter.path.name,
            "preset": values["preset"],
            "device": values["device"],
            "seed": values.get("seed"),
            "machine": machine.slug(),
            "fingerprint": self.fingerprint,
            "started": started,
            "duration_s": round(seconds, 3),
            "notebook_sha256": _hash(self.executed),
            "results_sha256": _hash(self.results),
        }


def shown(path):
    """Return `path` as a reader would type it from here."""
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else near


def slug_of(path):
    """Return a chapter's name: 30_gil_races.ipynb -> gil-races."""
    return path.stem.split("_", 1)[1].replace("_", "-")


def unknown(kind, name, known):
    """Return the BadRequest for a name that is none of `known`."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return BadRequest(
        f"unknown {kind} {name!r}: {hint}there are: {', '.join(known)}"
    )


# Which chapters


def choose(names, notebooks):
    """Return the paths of the chapters named, in the book's order.

    A name is a slug, a file's stem or a path; no names mean all chapters.
    Raises BadRequest where there is no such chapter, or two of a slug.
    """
    found = {}
    for path in sorted(notebooks.glob("[0-9]*_*.ipynb")):
        other = found.setdefault(slug_of(path), path)
        if other != path:
            raise BadRequest(
                f"{shown(path)}: its slug {slug_of(path)!r} is also that of "
                f"{other.name}; rename one"
            )
    if not found:
        raise BadRequest(
            f"{shown(notebooks)}: no chapter NN_topic.ipynb there; "
            "name the right folder with --notebooks"
        )
    chosen = {_path_of(name, found) for name in names} or found.values()
    return sorted(chosen)


def _path_of(name, found):
    """Return the path that one CHAPTER argument means."""
    for slug, path in found.items():
        if name in (slug, path.stem) or pathlib.Path(name).resolve() == path:
            return path
    raise unknown("chapter", name, list(found))


def read(path):
    """Return the Chapter in a file.

    Raises BadRequest, with place and repair, where it is no notebook or
    has no readable parameters.
    """
    name = shown(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadRequest(
            f"{name}: {error.strerror}; make it readable"
        ) from None
    except json.JSONDecodeError as error:
        raise BadRequest(
            f"{name}: line {error.lineno}, column {error.colno}: not JSON "
            f"({error.msg}); repair it there, or restore the file with git"
        ) from None
    except UnicodeDecodeError as error:
        raise BadRequest(
            f"{name}: byte {error.start}: not UTF-8; save it as UTF-8"
        ) from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not _are_cells(cells) or data.get("nbformat") != 4:
        raise BadRequest(
            f"{name}: JSON, but no notebook of format 4 with cells; "
            "restore it with git, or save it again in JupyterLab"
        )
    return Chapter(path, cells, _defaults(name, cells))


def _are_cells(cells):
    """Tell whether this is a list of cells with what the runner reads."""
    return isinstance(cells, list) and all(
        isinstance(cell, dict)
        and isinstance(cell.get("cell_type"), str)
        and isinstance(cell.get("source"), str | list)
        and isinstance(cell.get("metadata"), dict)
        for cell in cells
    )


def source_of(cell):
    """Return a cell's text; the format allows a list of lines."""
    return "".join(cell["source"])


def tags_of(cell):
    """Return a cell's tags."""
    return cell["metadata"].get("tags", [])


# Its parameters


def _defaults(name, cells):
    """Return {parameter: default} from the cell tagged "parameters"."""
    tagged = [c for c in cells if "parameters" in tags_of(c)]
    if len(tagged) != 1:
        raise BadRequest(
            f"{name}: {len(tagged)} cells are tagged 'parameters'; tag one, "
            "the cell that sets preset, device and seed"
        )
    try:
        tree = ast.parse(source_of(tagged[0]))
        found = {
            node.targets[0].id: ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
        }
    except (SyntaxError, ValueError):
        raise BadRequest(
            f"{name}: the parameters cell: write lines of the form "
            "name = constant"
        ) from None
    if missing := {"preset", "device"} - set(found):
        raise BadRequest(
            f"{name}: the parameters cell does not set "
            f"{' and '.join(sorted(missing))}; add it"
        )
    return found


def convert(chapter, name, text):
    """Return the parameter's value that `text` means, typed as its default.

    Raises BadRequest for an unknown name or another type.
    """
    if name in ("preset", "device"):
        raise BadRequest(f"parameter {name}: give it as --{name} {text}")
    if name not in chapter.defaults:
        error = unknown("parameter", name, list(chapter.defaults))
        raise BadRequest(f"{shown(chapter.path)}: {error}")
    default = chapter.defaults[name]
    if isinstance(default, str):
        return text
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        value = text
    if type(default) is float and type(value) is int:
        value = float(value)
    if default is not None and type(value) is not type(default):
        raise BadRequest(
            f"{shown(chapter.path)}: parameter {name}: {text!r} is no "
            f"{type(default).__name__}; its default is {default!r}"
        )
    return value


def check_options(preset, device):
    """Raise BadRequest for a preset or device that is not to be had."""
    if preset not in presets.NAMES:
        raise unknown("preset", preset, presets.NAMES)
    if device not in DEVICES:
        raise unknown("device", device, DEVICES)
    if device == "cuda" and not machine.has_cuda():
        raise BadRequest(
            "device 'cuda': no CUDA device on this machine; use --device auto"
        )


def check_files(jobs):
    """Raise BadRequest for a file that the chapters would stumble over.

    That is the ledger, and results which they add to or draw.
    """
    from onthefly import claims, results
    from onthefly.refused import Refused

    try:
        claims.load()
        for job in jobs:
            for path in [job.results, *_recorded(job.chapter)]:
                if path.exists():
                    results.load(path)
            for path in _examples(job.chapter):
                results.load(path, example=True)
    except Refused as error:
        raise BadRequest(str(error)) from None


# What is done already


def _slugs(chapter):
    """Return the chapter's slug, and those that its code cells name."""
    code = "".join(
        source_of(cell)
        for cell in chapter.cells
        if cell["cell_type"] == "code"
    )
    named = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', code))
    return sorted(named | {chapter.slug})


def _recorded(chapter):
    """Return the committed results that the chapter's page may draw."""
    return sorted(
        path
        for slug in _slugs(chapter)
        for path in RECORDED.glob(f"*/{slug}.json")
    )


def _examples(chapter):
    """Return the files that stand in where nothing was recorded."""
    paths = [EXAMPLES / f"{slug}.json" for slug in _slugs(chapter)]
    return [path for path in paths if path.exists()]


def _hash(path):
    """Return the SHA-256 of a file in hex, or None where there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None


def _lab(notebooks):
    """Return the lab's files: those that lie beside the notebooks."""
    lab = notebooks / "onthefly"
    lab = lab if lab.is_dir() else ROOT / "notebooks" / "onthefly"
    files = (path for path in sorted(lab.rglob("*")) if path.is_file())
    return [path for path in files if "__pycache__" not in path.parts]


def _cards(chapter):
    """Return what the ledger holds for the chapter's claim cards."""
    # The ledger's own check loads for seconds.  check_files makes it before
    # anything runs; here it only serves to name a fault.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = LEDGER.read_text(encoding="utf-8")
        data = yaml.load(text, Loader=loader)
        own = [e for e in data["claims"] if e["chapter"] == chapter.slug]
        return [[entry, data["sources"][entry["source"]]] for entry in own]
    except (OSError, yaml.YAMLError, KeyError, TypeError):
        check_files([])
        raise


def fingerprint(chapter, request):
    """Return a hash of all that the chapter's page is made from.

    Its cells (not their outputs), the lab, the lock files, its claims and
    recorded results, the parameters, this machine and this Python.
    """
    files = [
        *_lab(request.notebooks), *_recorded(chapter), *_examples(chapter)
    ]  # fmt: skip
    facts = {
        "cells": [
            [cell["cell_type"], source_of(cell), tags_of(cell)]
            for cell in chapter.cells
        ],
        "files": [[p.parent.name, p.name, _hash(p)] for p in files],
        "locks": [_hash(p) for p in sorted(ROOT.glob("requirements*.lock"))],
        "cards": _cards(chapter),
        "parameters": [request.preset, request.device, request.parameters],
        "machine": machine.slug(),
        "python": [platform.python_implementation(), sys.version],
    }
    text = json.dumps(facts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def results_of(chapter, request):
    """Return where a chapter stores what it measured on this machine."""
    return request.results / machine.slug() / f"{chapter.slug}.json"


def plan(chapter, request):
    """Return the Job of a chapter."""
    path = request.build / "executed" / f"{chapter.path.stem}.json"
    try:
        stamp = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # no run has finished there
        stamp = {}
    print_ = fingerprint(chapter, request)
    return Job(chapter, request, print_, stamp)


def headline(source, width=56):
    """Return the first line of a cell that says something, cut to width."""
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    line = re.sub(r"\s+", " ", lines[0]) if lines else ""
    return line if len(line) <= width else line[: width - 1] + "…"
