"""Which functions of the lab's kernels can be timed under other versions.

They are found in the sources, without importing any: another version may not
even be able to.
"""

import ast
import functools
import importlib.metadata
import pathlib
from dataclasses import dataclass
from modulefinder import ModuleFinder

from packaging.utils import canonicalize_name

from commandline import ROOT, unknown
from onthefly import provenance
from onthefly.errors import UserError
from onthefly.experiments.choice.problems import KINDS, PROBLEMS
from reading import notebooks, toc

HOME = "onthefly.kernels"
# The form of the data that a variant takes, by the end of its file's name.
FORMS = {kind.suffix: kind.form for kind in reversed(KINDS.values())
         if not kind.library}  # fmt: skip
COMPILER = "onthefly.tools.cpp"  # what imports it needs one, or a device
# They import libraries where a function serves purposes that no kernel has.
ASIDE = ("onthefly.machine", "onthefly.libraries", "onthefly.tools.devices")


@dataclass(frozen=True)
class Kernel:
    """A function that computes one of the eight problems.

    name     the function's
    module   full name of its module
    problem  key of PROBLEMS: whose data it takes
    form     in which it takes them, a key of forms.FORMS
    files    sources that it imports, its own included: paths from the root
    needs    distributions that it imports
    """

    name: str
    module: str
    problem: str
    form: str
    files: tuple[str, ...]
    needs: frozenset[str]


def chosen(library, pages, names):
    """Return the [Kernel] to time for a library, or for "python".

    pages  slugs; the kernels that their notebooks import, or all for none
    names  of functions, or stems of files for all that is in there; none of
           them stands for all kernels

    Raises UserError for a page or a name that is none, or where no kernel
    imports the library.
    """
    every = {
        kernel.name: kernel
        for module in (_of_pages(pages) if pages else _all())
        for kernel in in_module(module)
        if library in ("python", *kernel.needs)
    }
    if not every:
        there = f"on {', '.join(pages)} " if pages else ""
        raise UserError(
            f"no kernel {there}that can be timed by itself imports {library}"
            + (f"; repair: --kernels, of {_some(library)}" if pages else "")
        )
    files = {}
    for kernel in every.values():
        stem = kernel.module.rpartition(".")[2]
        files.setdefault(stem, []).append(kernel)
    known = files | {name: [kernel] for name, kernel in every.items()}
    for name in names:
        if name not in known:
            raise unknown("kernel", name, sorted(known))
    return list(dict.fromkeys(k for n in names or every for k in known[n]))


def _some(library):
    return ", ".join(kernel.name for kernel in chosen(library, [], []))


def _all():
    """Return the names of the kernels' modules, problem by problem."""
    folder = provenance.LAB / "kernels"
    paths = [p for name in PROBLEMS for p in folder.glob(f"{name}_*.py")]
    return [f"{HOME}.{path.stem}" for path in sorted(paths)]


def _of_pages(slugs):
    """Return the names of the kernels' modules that pages import."""
    known = {
        provenance.slug_of(pathlib.Path(stem)): f"notebooks/{stem}.ipynb"
        for stem in toc.chapters(ROOT)
    }
    modules = set()
    for slug in slugs:
        if slug not in known:
            raise unknown("page", slug, list(known))
        for cell in notebooks.read(ROOT / known[slug])["cells"]:
            if cell["cell_type"] == "code":
                lines = cell["source"].splitlines()
                code = [x for x in lines if not x.startswith("%")]
                modules |= _imports("\n".join(code)).modules.keys()
    return sorted(name for name in modules if name.startswith(f"{HOME}."))


@functools.cache
def in_module(module):
    """Return the [Kernel] of a module that needs no device, no compiler.

    A kernel is a public function <problem>_<variant> that takes what the
    problem's `data` returns, and nothing more.
    """
    problem, _, variant = module.rpartition(".")[2].partition("_")
    number = problem == "pi"  # of shots, which has no form
    form = "arrays" if number else FORMS.get(variant)
    if problem not in PROBLEMS or not form or "cuda" in variant:
        return []
    finder = _imports(f"import {module}")
    if COMPILER in finder.modules:
        return []
    files = {name: m.__file__ for name, m in finder.modules.items()}
    needs = {_distribution(name) for name in finder.badmodules} - {None}
    if form != "lists" and not number:
        needs.add("numpy")
    paths = tuple(
        sorted(
            pathlib.Path(file).relative_to(ROOT).as_posix()
            for file in filter(None, files.values())
        )
    )
    return [
        Kernel(name, module, problem, form, paths, frozenset(needs))
        for name in _functions(files[module], problem)
    ]


def _functions(path, problem):
    """Return the functions of a file that take just a problem's data."""
    count = len(PROBLEMS[problem].data(10))
    return [
        f.name
        for f in ast.parse(pathlib.Path(path).read_bytes()).body
        if isinstance(f, ast.FunctionDef)
        and f.name.startswith(f"{problem}_")
        and len(f.args.args) - len(f.args.defaults) == count
    ]


def _imports(code):
    """Return the ModuleFinder of a text: the lab is all that it can find."""
    finder = ModuleFinder([str(provenance.NOTEBOOKS)], excludes=ASIDE)
    finder.scan_code(compile(code, "", "exec"), finder.add_module("_"))
    return finder


def _distribution(module):
    """Return the distribution here that a module is of, or None."""
    known = _distributions().get(module.partition(".")[0])
    return known and canonicalize_name(known[0])


@functools.cache
def _distributions():
    return importlib.metadata.packages_distributions()
