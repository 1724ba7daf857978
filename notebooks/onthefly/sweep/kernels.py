"""Which functions of the package's kernels can be timed under versions.

They are found in the sources, without importing any: another version may not
even be able to.
"""

import ast
import functools
from dataclasses import dataclass

import numpy as np

from onthefly import folders
from onthefly.kernels.methods import KINDS
from onthefly.kernels.problems import PROBLEMS
from onthefly.sweep import imports
from onthefly.terminal import unknown
from onthefly.tools import processes

HOME = "onthefly.kernels"
FOLDER = folders.PACKAGE / "kernels"
# The form of the data that a variant takes, by the end of its file's name.
FORMS = {kind.suffix: kind.form for kind in reversed(KINDS.values())
         if not kind.library}  # fmt: skip
COMPILER = (
    folders.PACKAGE / "tools" / "cpp.py"
)  # what imports it needs one, or a device


@dataclass(frozen=True)
class Kernel:
    """A function that computes one of the eight problems.

    name     the function's
    module   full name of its module
    problem  key of PROBLEMS: whose data it takes
    form     in which it takes them, a key of forms.FORMS
    files    sources that it is made from
    needs    distributions that these import
    """

    name: str
    module: str
    problem: str
    form: str
    files: tuple
    needs: frozenset[str]

    def seconds(self, child, sizes):
        """Return [seconds of a call of each size].

        child  a Program of timing_child
        sizes  of the problem's data, ascending: what a large call leaves
               behind, as memory that the C library keeps, would make a
               smaller faster

        Raises ProcessError, also where it computes another result than plain
        Python here.
        """
        problem = PROBLEMS[self.problem]

        def ask(question, size):
            data = _sent(self.problem, size)
            return child.ask(
                question, self.module, self.name, data, self.form
            )

        result = ask("result", problem.judged)
        if isinstance(result, list):
            result = np.array(result)
        if not problem.same(result, _expected(self.problem)):
            raise processes.Failed(self.name, "its result is wrong")
        return [ask("seconds", size) for size in sizes]


@functools.cache
def _expected(problem):
    return PROBLEMS[problem].result("Python", PROBLEMS[problem].judged)


@functools.cache
def _sent(problem, size):
    """Return a problem's arguments as a child takes them: see `result`.

    Every version gets the same numbers: they are drawn here.
    """
    return [
        (x.dtype.str, x.tolist()) if isinstance(x, np.ndarray) else (None, x)
        for x in PROBLEMS[problem].data(size)
    ]


def chosen(library, names):
    """Return the [Kernel] to time for a library, or for "python".

    names  of functions, or stems of files for all that is in there; none of
           them stands for all kernels

    Raises UserError for a name that is none, or where no kernel imports the
    library.
    """
    every = [
        kernel
        for path in sorted(FOLDER.glob("*/*.py"))
        for kernel in in_module(f"{HOME}.{path.parent.name}.{path.stem}")
    ]
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
    files, packages = imports.closure(
        _file_of(module), [folders.home()], _counts
    )
    if COMPILER in files:
        return []
    needs = imports.distributions(packages, here=True)
    if form != "lists" and not number:
        needs |= {"numpy"}
    return [
        Kernel(name, module, problem, form, tuple(files), needs)
        for name in _functions(_file_of(module), problem)
    ]


def _counts(path):
    """Tell whether a file is part of a kernel: it computes, or helps to."""
    home = path.relative_to(folders.PACKAGE).parts[0]
    return home in ("kernels", "tools")


def _file_of(module):
    return FOLDER.joinpath(*module.split(".")[2:]).with_suffix(".py")


def _functions(path, problem):
    """Return the functions of a file that take just a problem's data."""
    count = len(PROBLEMS[problem].data(10))
    return [
        f.name
        for f in ast.parse(path.read_bytes()).body
        if isinstance(f, ast.FunctionDef)
        and f.name.startswith(f"{problem}_")
        and len(f.args.args) - len(f.args.defaults) == count
    ]
