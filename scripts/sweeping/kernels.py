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
from onthefly import provenance
from onthefly.errors import UserError
from onthefly.experiments.choice.problems import KINDS, PROBLEMS
from onthefly.libraries import LIBRARIES
from reading import notebooks, toc

FOLDER = provenance.LAB / "kernels"
# The form of the data that a variant takes, by the end of its file's name.
FORMS = {kind.suffix: kind.form for kind in reversed(KINDS.values())
         if not kind.library}  # fmt: skip
DEVICES = {x.packages[0] for x in LIBRARIES.values() if not x.alone}
NAMED = 4  # kernels in a message


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


def chosen(library, pages, names):
    """Return the [Kernel] to time for a library, or for "python".

    pages  slugs; the kernels that their notebooks import, or all for none
    names  of functions, or stems of files for all that is in there; none of
           them stands for all kernels

    Raises UserError for a page or a name that is none, or where no kernel
    imports the library.
    """
    paths = _of_pages(pages) if pages else sorted(FOLDER.glob("*.py"))
    every, left_out = _in_files(paths)
    if names:
        every = _named(names, every, left_out)
    fitting = [k for k in every if library in (*k.needs, "python")]
    if fitting:
        return fitting
    place = ", ".join(names or pages)
    raise UserError(
        f"{place}: no kernel there that can be timed by itself"
        + (f" imports {library}" if library != "python" else "")
        + _others(library)
    )


def _others(library):
    """Return the repair: which kernels there are for a library."""
    every, _ = _in_files(sorted(FOLDER.glob("*.py")))
    fitting = [k for k in every if library in (*k.needs, "python")]
    problems = list(PROBLEMS)
    fitting.sort(key=lambda k: (len(k.needs), problems.index(k.problem)))
    if fitting:
        some = " ".join(kernel.name for kernel in fitting[:NAMED])
        return f"; repair: --kernels, as {some}"
    used = sorted(set().union(*(k.needs for k in every)))
    return f", nor does any; repair: sweep one of {', '.join(used)}, python"


def _named(names, every, left_out):
    """Return the kernels that are named, by function or by file."""
    known = {}
    for kernel in every:
        known.setdefault(kernel.module.rpartition(".")[2], []).append(kernel)
    known |= {kernel.name: [kernel] for kernel in every}
    for name in names:
        if name in left_out:
            raise UserError(f"--kernels {name}: {left_out[name]}")
        if name not in known:
            raise unknown("kernel", name, sorted(known))
    return list(dict.fromkeys(k for name in names for k in known[name]))


def _of_pages(slugs):
    """Return the paths of the kernels' files that pages import."""
    known = {
        provenance.slug_of(pathlib.Path(stem)): f"notebooks/{stem}.ipynb"
        for stem in toc.chapters(ROOT)
    }
    paths = set()
    for slug in slugs:
        if slug not in known:
            raise unknown("page", slug, list(known))
        for cell in notebooks.read(ROOT / known[slug])["cells"]:
            if cell["cell_type"] == "code":
                lines = cell["source"].splitlines()
                code = [x for x in lines if not x.startswith("%")]
                paths |= _imports("\n".join(code), nested=True)[0]
    paths |= {file for path in paths for file in sources(path)[0]}
    return sorted(path for path in paths if path.parent == FOLDER)


def _in_files(paths):
    """Return ([Kernel] of files, {function: why it is left out})."""
    every, left_out = [], {}
    for path in paths:
        some, out = in_file(path)
        every += some
        left_out |= out
    return every, left_out


def in_file(path):
    """Return ([Kernel] of a file, {function: why it is left out}).

    A kernel is a public function <problem>_<variant> that takes what the
    problem's `data` returns, and nothing more.
    """
    problem, _, variant = path.stem.partition("_")
    if problem not in PROBLEMS or not variant:
        return [], {}
    names = _functions(path, problem)
    files, needs = sources(path)
    plain = problem == "pi"  # a number of shots, which has no form
    reason = ""
    if any(file.name == "cpp.py" for file in files):
        reason = "it is made by a C or C++ compiler"
    elif needs & DEVICES:
        reason = "it needs a device"
    elif variant not in FORMS and not plain:
        reason = "the form of its data is not known"
    if reason:
        return [], dict.fromkeys(names, reason)
    form = "arrays" if plain else FORMS[variant]
    if form != "lists" and not plain:
        needs = needs | {"numpy"}
    paths = tuple(sorted(p.relative_to(ROOT).as_posix() for p in files))
    module = f"onthefly.kernels.{path.stem}"
    return [
        Kernel(name, module, problem, form, paths, frozenset(needs))
        for name in names
    ], {}


def _functions(path, problem):
    """Return the functions of a file that take just a problem's data."""
    count = len(PROBLEMS[problem].data(10))
    return [
        f.name
        for f in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(f, ast.FunctionDef)
        and f.name.startswith(f"{problem}_")
        and len(f.args.args) - len(f.args.defaults) == count
    ]


@functools.cache
def sources(path):
    """Return ({files of the lab}, {distributions}) that a file imports.

    What a function imports counts in kernels alone: elsewhere in the lab it
    serves other purposes.
    """
    ours, packages, left = set(), set(), {path}
    while left:
        file = left.pop()
        ours.add(file)
        text = file.read_text(encoding="utf-8")
        more, others = _imports(text, nested=file.parent == FOLDER)
        packages |= others
        left |= more - ours
    return ours, packages


def _imports(text, nested):
    """Return ({files of the lab}, {distributions}) of a text's imports."""
    tree = ast.parse(text)
    names = []
    for node in ast.walk(tree) if nested else tree.body:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [node.module]
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    ours, packages = set(), set()
    for name in names:
        top = name.partition(".")[0]
        if top == "onthefly":
            path = provenance.NOTEBOOKS.joinpath(*name.split("."))
            places = path.with_suffix(".py"), path / "__init__.py"
            ours |= {place for place in places if place.is_file()}
        elif top not in sys.stdlib_module_names:
            packages.add(_distribution(name))
    return ours, packages


def _distribution(module):
    """Return the distribution that a module is of."""
    fitting = [
        library
        for library in LIBRARIES.values()
        if f"{module}.".startswith(f"{library.module}.")
    ]
    if not fitting:
        return module.partition(".")[0]
    return max(fitting, key=lambda x: len(x.module)).packages[0]
