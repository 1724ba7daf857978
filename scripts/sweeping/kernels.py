"""Which functions of the lab's kernels can be timed under other versions.

They are found in the sources, without importing any: another version may not
even be able to.
"""

import ast
import functools
import pathlib
import sys
from dataclasses import dataclass

from commandline import ROOT, unknown
from onthefly import provenance, results
from onthefly.experiments.choice.problems import KINDS, PROBLEMS
from onthefly.libraries import LIBRARIES
from onthefly.refused import Refused
from reading import notebooks, toc

FOLDER = provenance.LAB / "kernels"
# The form of the data that a way takes, by the end of its file's name.
FORMS = {kind.suffix: kind.form for kind in reversed(KINDS.values())
         if not kind.library}  # fmt: skip
DEVICES = {x.packages[0] for x in LIBRARIES.values() if not x.alone}


@dataclass(frozen=True)
class Kernel:
    """A function that computes one of the eight problems.

    name     the function's, which tells it from all others
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


def of_pages(slugs, root=ROOT):
    """Return ([Kernel] that pages use, {name: why one is left out}).

    slugs  of pages of the book in `root`

    A page uses what its notebook imports, and what its last run has loaded.
    Raises Refused for a page that there is not.
    """
    known = {
        provenance.slug_of(pathlib.Path(stem)): root / f"notebooks/{stem}"
        for stem in toc.chapters(root)
    }
    found, out = {}, {}
    for slug in slugs:
        if slug not in known:
            raise unknown("page", slug, list(known))
        for path in sorted(_used(slug, known[slug].with_suffix(".ipynb"))):
            kernels, left = in_file(path)
            found |= {kernel.name: kernel for kernel in kernels}
            out |= left
    return list(found.values()), out


def every():
    """Return ([Kernel] of all files, {name: why one is left out})."""
    found, out = [], {}
    for path in sorted(FOLDER.glob("*.py")):
        kernels, left = in_file(path)
        found += kernels
        out |= left
    return found, out


def chosen(kernels, left, names):
    """Return those of some kernels that are named, by function or by file.

    left   {name: why one is left out}
    names  of functions; or stems of files, for all that is in there, where
           no function has that name; none of them: all kernels

    Raises Refused for a name that is none.
    """
    if not names:
        return kernels
    known = {}
    for kernel in kernels:
        known.setdefault(kernel.module.rpartition(".")[2], []).append(kernel)
    known |= {kernel.name: [kernel] for kernel in kernels}
    for name in names:
        if name in left:
            raise Refused(f"--kernels {name}: {left[name]}")
        if name not in known:
            raise unknown("kernel", name, sorted(known))
    return list(dict.fromkeys(k for name in names for k in known[name]))


def _used(slug, notebook):
    """Return the paths of the kernels' files that a page uses."""
    cells = notebooks.read(notebook)["cells"]
    code = [c["source"] for c in cells if c["cell_type"] == "code"]
    paths = set()
    for text in code:
        lines = (x for x in text.splitlines() if not x.startswith("%"))
        paths |= _imports("\n".join(lines), nested=True)[0]
    paths |= {file for path in paths for file in sources(path)[0]}
    for found in results.find(slug).values():
        paths |= {provenance.LAB / name for name in found.lab}
    return paths & set(FOLDER.glob("*.py"))


def in_file(path):
    """Return ([Kernel] of a file, {function: why it is left out}).

    A kernel is a public function <problem>_<way> that takes what the
    problem's `data` returns, and nothing more.
    """
    problem, _, way = path.stem.partition("_")
    functions = _functions(path, f"{problem}_")
    if problem not in PROBLEMS or not functions:
        return [], {}
    files, needs = sources(path)
    count = len(PROBLEMS[problem].data(10))
    fitting = [name for name, asked in functions.items() if asked == count]
    plain = problem == "pi"  # a number of shots, which has no form
    reason = ""
    if any(file.name == "cpp.py" for file in files):
        reason = "it is made by a C or C++ compiler"
    elif needs & DEVICES:
        reason = "it needs a device"
    elif way not in FORMS and not plain:
        reason = "the form of its data is not known"
    if reason:
        return [], {name: reason for name in fitting}
    form = "arrays" if plain else FORMS[way]
    if form != "lists" and not plain:
        needs = needs | {"numpy"}
    named = tuple(sorted(p.relative_to(ROOT).as_posix() for p in files))
    module = f"onthefly.kernels.{path.stem}"
    found = [
        Kernel(name, module, problem, form, named, frozenset(needs))
        for name in fitting
    ]
    return found, {}


def _functions(path, start):
    """Return {function: arguments that it must be given} of a file."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return {
        f.name: len(f.args.args) - len(f.args.defaults)
        for f in body
        if isinstance(f, ast.FunctionDef) and f.name.startswith(start)
    }


@functools.cache
def sources(path):
    """Return ({files of the lab}, {distributions}) that a file imports.

    What a function imports counts in kernels alone: elsewhere in the lab it
    serves other purposes.
    """
    files, packages, left = set(), set(), {path}
    while left:
        file = left.pop()
        files.add(file)
        text = file.read_text(encoding="utf-8")
        ours, others = _imports(text, nested=file.parent == FOLDER)
        packages |= others
        left |= ours - files
    return files, packages


def _imports(text, nested):
    """Return ({files of the lab}, {distributions}) of a text's imports."""
    tree = ast.parse(text)
    nodes = ast.walk(tree) if nested else tree.body
    names = []
    for node in nodes:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [node.module]
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    files, packages = set(), set()
    for name in names:
        top = name.partition(".")[0]
        if top == "onthefly":
            path = provenance.NOTEBOOKS.joinpath(*name.split("."))
            places = path.with_suffix(".py"), path / "__init__.py"
            files |= {place for place in places if place.is_file()}
        elif top not in sys.stdlib_module_names:
            packages.add(_package(name))
    return files, packages


def _package(module):
    """Return the distribution that a module is of."""
    found = [
        library
        for library in LIBRARIES.values()
        if f"{module}.".startswith(f"{library.module}.")
    ]
    if not found:
        return module.partition(".")[0]
    return max(found, key=lambda library: len(library.module)).packages[0]
