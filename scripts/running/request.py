"""What is asked of a run: which chapters, with which parameters.

Nothing heavy is imported here, so that a run with nothing to do ends at
once; engine.py runs a chapter.
"""

import ast
import dataclasses
import functools
import pathlib

from commandline import ROOT, shown, unknown
from onthefly import files
from onthefly.errors import UserError
from onthefly.measure import machine, presets, records
from onthefly.page import dependencies
from onthefly.page.checkout import module_beside, name_of, pages, slug_of
from onthefly.page.source import FRESH, HERE
from reading import notebooks, toc

DEVICES = ("auto", "cpu", "cuda")
LEAST = 1  # second that a chapter takes to start


@dataclasses.dataclass(frozen=True)
class Request:
    """What the command line asks for; every folder is absolute.

    limit       seconds that a chapter may take
    data        what the chapters are told: see `onthefly.page.source`
    again       names of what is measured once more, though it is kept
    parameters  {name: value} of parameters other than preset and device
    """

    preset: str
    device: str
    limit: float
    notebooks: pathlib.Path
    build: pathlib.Path
    parameters: dict = dataclasses.field(default_factory=dict)
    force: bool = False
    data: str = HERE
    again: tuple = ()

    @property
    def pages(self):
        """Where the executed notebooks go."""
        return self.build

    @property
    def results(self):
        """Where the chapters' results go."""
        return self.build / "results"

    @property
    def data_folder(self):
        """Where what machines measure is kept."""
        return self.build / "data" / self.preset

    @property
    def label(self):
        """What tells this run from others of the same chapters."""
        return ""

    @property
    def lab(self):
        """The lab that the chapters import: beside them, or the book's."""
        beside = self.notebooks / "onthefly"
        return beside if beside.is_dir() else ROOT / "notebooks" / "onthefly"


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
    def name(self):
        """Its part and topic, as "part/topic"."""
        return name_of(self.path)

    @property
    def slug(self):
        return slug_of(self.path)

    @property
    def lenders(self):
        """The slugs of the chapters whose measurements it takes."""
        return dependencies.pages_of(self.sources)

    @functools.cached_property
    def sources(self):
        """The texts of its code: cells, and the module beside it."""
        code = [c["source"] for c in self.cells if c["cell_type"] == "code"]
        module = module_beside(self.path)
        return [*code, *([files.text(module)] if module.exists() else [])]

    def changed(self, parameters):
        """Return those parameters that differ from the defaults.

        papermill adds a cell for them, which the reader sees.
        """
        given = parameters.items()
        return {k: v for k, v in given if v != self.defaults.get(k)}


def read(path):
    """Return the Chapter in a file.

    Raises UserError, with place and repair, where it is no notebook or has no
    readable parameters.
    """
    name = shown(path)
    notebook = notebooks.read(path, name)
    defaults = notebooks.parameters(notebook, name)
    return Chapter(path, notebook["cells"], defaults)


def choose(names, folder):
    """Return the paths of the chapters named, in the book's order.

    A name is a slug, a file's stem or a path; no names mean all chapters.
    Raises UserError where there is no such chapter, or two of a slug.
    """
    by_slug = {}
    for path in pages(folder):
        slug = slug_of(path)
        other = by_slug.setdefault(slug, path)
        if other != path:
            raise UserError(
                f"{shown(path)}: its slug {slug!r} is also that of "
                f"{shown(other)}; rename one"
            )
    if not by_slug:
        raise UserError(
            f"{shown(folder)}: no page PART/TOPIC.ipynb there; name the "
            "right folder with --notebooks"
        )
    chosen = {_path_of(name, by_slug) for name in names}
    return toc.ordered(chosen or by_slug.values(), folder.parent)


def _path_of(name, by_slug):
    """Return the path that one CHAPTER argument means."""
    for slug, path in by_slug.items():
        if name in (slug, path.stem) or pathlib.Path(name).resolve() == path:
            return path
    raise unknown("chapter", name, list(by_slug))


def convert(chapter, name, text):
    """Return the parameter's value that `text` means, typed as its default.

    Raises UserError for an unknown name or another type.
    """
    if name in ("preset", "device"):
        raise UserError(f"parameter {name}: give it as --{name} {text}")
    if name not in chapter.defaults:
        error = unknown("parameter", name, list(chapter.defaults))
        raise UserError(f"{shown(chapter.path)}: {error}")
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
        raise UserError(
            f"{shown(chapter.path)}: parameter {name}: {text!r} is no "
            f"{type(default).__name__}; its default is {default!r}"
        )
    return value


def check_options(preset, device, told, here=True):
    """Raise UserError for a preset, device or data not to be had.

    here  the chapters run on this machine, so its devices count
    """
    if preset not in presets.NAMES:
        raise unknown("preset", preset, presets.NAMES)
    if device not in DEVICES:
        raise unknown("device", device, DEVICES)
    modes = [HERE, FRESH, *records.machines()]
    if told not in modes:
        raise unknown("data", told, modes)
    if here and device == "cuda" and not machine.has_cuda():
        raise UserError(
            "device 'cuda': no CUDA device on this machine; use --device auto"
        )


def resolve(options):
    """Return the Request and its Chapters, or raise UserError.

    options  the command line's, as run.py parses them
    """
    here = options.scheduler is None
    check_options(options.preset, options.device, options.data, here)
    limit = options.limit
    if limit is None:
        limit = presets.LIMIT[options.preset]
    if not LEAST <= limit < float("inf"):
        raise UserError(
            f"--limit {limit:g}: give seconds, {LEAST} or more: a chapter "
            "takes that to start"
        )
    folder = options.notebooks.resolve()
    chapters = [read(path) for path in choose(options.chapters, folder)]
    given = {
        name: convert(chapter, name, text)
        for chapter in chapters
        for name, text in options.parameters
    }
    request = Request(
        options.preset, options.device, limit, folder,
        options.build.resolve(), given, options.force, options.data,
    )  # fmt: skip
    return request, chapters
