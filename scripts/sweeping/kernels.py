"""Which functions of the lab's kernels can be timed under other versions.

They are found in the sources, without importing any: another version may not
even be able to.
"""

import ast
import functools
import importlib.metadata
import pathlib
from dataclasses import dataclass

from packaging.utils import canonicalize_name

from commandline import ROOT, unknown
from onthefly import folders
from onthefly.errors import UserError
from onthefly.kernels.methods import KINDS
from onthefly.kernels.problems import PROBLEMS
from onthefly.page import checkout, dependencies
from reading import toc

HOME = "onthefly.kernels"
FOLDER = folders.PACKAGE / "kernels"
# The form of the data that a variant takes, by the end of its file's name.
FORMS = {kind.suffix: kind.form for kind in reversed(KINDS.values())
         if not kind.library}  # fmt: skip
COMPILER = "tools/cpp.py"  # what imports it needs one, or a device


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
    modules = [
        f"{HOME}.{path.parent.name}.{path.stem}"
        for path in sorted(FOLDER.glob("*/*.py"))
    ]
    if pages:
        modules = _of_pages(pages)
    every = [kernel for name in modules for kernel in in_module(name)]
    if not every:
        raise UserError(
            f"{', '.join(pages)}: no kernel there that can be timed by "
            "itself; repair: name some by --kernels"
        )
    libraries = {"python"}.union(*(kernel.needs for kernel in every))
    if library not in libraries:
        raise unknown("library of these kernels", library, sorted(libraries))
    fitting = {k.name: k for k in every if library in ("python", *k.needs)}
    known = {}
    for kernel in fitting.values():
        known.setdefault(kernel.module.rpartition(".")[2], []).append(kernel)
    known |= {name: [kernel] for name, kernel in fitting.items()}
    for name in names:
        if name not in known:
            raise unknown("kernel", name, sorted(known))
    return list(dict.fromkeys(k for n in names or fitting for k in known[n]))


def _of_pages(slugs):
    """Return the names of the kernels' modules that pages import."""
    known = {
        checkout.slug_of(pathlib.Path(name)): f"notebooks/{name}.ipynb"
        for name in toc.chapters(ROOT)
    }
    modules = set()
    for slug in slugs:
        if slug not in known:
            raise unknown("page", slug, list(known))
        cells = checkout.cells_of(ROOT / known[slug], "code")
        modules |= dependencies.files_of_page(cells).keys()
    return [
        f"onthefly.{name.removesuffix('.py').replace('/', '.')}"
        for name in sorted(modules)
        if name.startswith("kernels/") and name.endswith(".py")
    ]


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
    files, packages = dependencies.package().closure([module])
    if COMPILER in files:
        return []
    home = folders.PACKAGE.relative_to(ROOT).as_posix()
    sources = tuple(sorted(f"{home}/{name}" for name in files))
    needs = _distributions(packages)
    if form != "lists" and not number:
        needs |= {"numpy"}
    return [
        Kernel(name, module, problem, form, sources, needs)
        for name in _functions(_file_of(module), problem)
    ]


def _file_of(module):
    return FOLDER.joinpath(*module.split(".")[2:]).with_suffix(".py")


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


def _distributions(modules):
    """Return the distributions here that modules are of."""
    known = _installed()
    tops = {name.partition(".")[0] for name in modules} & known.keys()
    tops -= {"onthefly"}  # it lies beside
    return frozenset(canonicalize_name(known[top][0]) for top in tops)


_installed = functools.cache(importlib.metadata.packages_distributions)
