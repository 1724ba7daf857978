"""The user's functions: named by their place, or handed over as they are."""

import ast
import dataclasses
import difflib
import importlib
import inspect
import operator
import pathlib
import sys
import textwrap

from onthefly.diagnose.errors import one_line
from onthefly.errors import UserError

# A file of such a name would be imported in the library's place.
_TAKEN = frozenset({"numba", "numpy", "scipy", "onthefly"})

_folders = set()  # of the files that this process has loaded


@dataclasses.dataclass(frozen=True)
class Target:
    """A function that a process of its own can load.

    name    as it is shown
    place   "package.module:function" or "path/to/file.py:function"; or ""
    code    where it has no place: the function, by cloudpickle
    source  where it has no place: its source text, or ""
    is_cell  whether it is what a cell of a notebook became
    """

    name: str
    place: str = ""
    code: bytes = b""
    source: str = ""
    is_cell: bool = False

    @classmethod
    def named(cls, place):
        """Return the Target of a place.

        Raises UserError where no function can be there.
        """
        _check(place)
        return cls(place, place)

    @classmethod
    def of(cls, function, is_cell=False):
        """Return the Target of a function, as one of a notebook."""
        import cloudpickle

        name = getattr(function, "__name__", type(function).__name__)
        return cls(
            "this cell" if is_cell else name,
            "",
            cloudpickle.dumps(function),
            source_of(function),
            is_cell,
        )

    @property
    def folders(self):
        """Where its module is imported from: the first ones on the path.

        A file's own folder, as when Python runs it, then the current one;
        of a function that was handed over, all that this process imports
        from.
        """
        if not self.place:
            return [path for path in sys.path if path]
        path = pathlib.Path(self.place.rpartition(":")[0])
        own = [path.resolve().parent] if path.suffix == ".py" else []
        return [*own, pathlib.Path.cwd()]

    def load(self):
        """Return (the function, its source or ""); imports its module.

        Raises UserError where the import fails, or has no such function.
        """
        if self.place:
            function = find(self.place)
            return function, source_of(function)
        import cloudpickle

        return cloudpickle.loads(self.code), self.source

    def beside(self, name):
        """Return the Target of another function, in its module by default."""
        home = self.place.rpartition(":")[0]
        return Target.named(name if ":" in name else f"{home}:{name}")


def source_of(function):
    """Return the source text of a function, or "" where none is known."""
    plain = getattr(function, "py_func", function)
    plain = getattr(plain, "pyfunc", plain)
    plain = inspect.unwrap(getattr(plain, "func", plain))
    try:
        text = textwrap.dedent(inspect.getsource(plain))
        node = ast.parse(text).body[0]
    except (OSError, TypeError, ValueError, SyntaxError, IndexError):
        return ""
    if isinstance(node, ast.FunctionDef):
        return text
    return _of_lambda(node, getattr(plain, "__name__", ""))


def _of_lambda(statement, name):
    """Return the one lambda of a statement as a `def`, or ""."""
    found = [n for n in ast.walk(statement) if isinstance(n, ast.Lambda)]
    if name != "<lambda>" or len(found) != 1:
        return ""
    made = ast.parse("def the_lambda(): return None").body[0]
    made.args, made.body[0].value = found[0].args, found[0].body
    return ast.unparse(made)


def _check(place):
    where, _, name = place.rpartition(":")
    path = pathlib.Path(where or place)
    if path.suffix == ".ipynb":
        raise UserError(
            f"{place}: a notebook; repair: in it, run %load_ext onthefly and "
            f"%confirm {name if where else 'FUNCTION'}"
        )
    if not where or not name:
        raise UserError(f"{place!r}: no function named; {_hint(path)}")
    if path.suffix != ".py":
        return
    if not path.is_file():
        raise UserError(f"{where}: no such file; repair: correct the path")
    if path.stem in sys.stdlib_module_names or path.stem in _TAKEN:
        raise UserError(
            f"{where}: a file of this name is imported in the place of "
            f"Python's own {path.stem}; repair: give it another name"
        )


def _hint(path):
    if path.suffix == ".py" and path.is_file():
        names = _functions(path)
        if names:
            return f"repair: {path}:{names[0]} (there: {', '.join(names)})"
    return "write package.module:function or path/to/file.py:function"


def _functions(path, most=6):
    """Return names of functions in a file, without importing it."""
    try:
        body = ast.parse(path.read_bytes()).body
    except (SyntaxError, ValueError, OSError):
        return []
    return [n.name for n in body if isinstance(n, ast.FunctionDef)][:most]


def find(place):
    """Return the function of ``package.module:function`` or a file's.

    A file's folder is one that Python imports from.  Raises UserError where
    there is none.
    """
    where, _, name = place.rpartition(":")
    module = _module(where)
    try:
        function = operator.attrgetter(name)(module)
    except AttributeError:
        near = difflib.get_close_matches(name, dir(module), 3)
        hint = f"; it has {', '.join(near)}" if near else ""
        raise UserError(
            f"{where}: no function {name!r} in it{hint}; "
            "repair: name one that it defines"
        ) from None
    if not callable(function):
        raise UserError(f"{place}: not callable; repair: name a function")
    return function


def _module(where):
    path = pathlib.Path(where)
    try:
        if path.suffix == ".py":
            return _module_of(path.resolve())
        return importlib.import_module(where)
    except (Exception, SystemExit) as error:
        raise UserError(
            f"{where}: its import fails: {one_line(error)}; repair: make it "
            "work first, start in its folder, or name the file: "
            "path/to/file.py:function"
        ) from None


def _module_of(path):
    """Import a file, also where another of its name is already imported.

    Two versions of a program have files of the same names: what came from
    the folder of the one is not what the other one imports.
    """
    others = _folders - {path.parent}
    names = [
        name
        for name, module in sys.modules.items()
        if ((home := _home(module)) in others and _has(path.parent, name))
        or (name == path.stem and home != path.parent)
    ]
    for name in names:
        del sys.modules[name]
    _folders.add(path.parent)
    if sys.path[0] != str(path.parent):
        sys.path.insert(0, str(path.parent))
    return importlib.import_module(path.stem)


def _has(folder, name):
    """Tell whether a folder has a module or a package of a name."""
    top = folder / name.partition(".")[0]
    return top.is_dir() or top.with_suffix(".py").exists()


def _home(module):
    """Return the folder that a module's top level was imported from."""
    file = getattr(module, "__file__", None)
    if not file:
        return None
    levels = module.__name__.count(".") + (
        pathlib.Path(file).name == "__init__.py"
    )
    return pathlib.Path(file).resolve().parents[levels]
