"""What a measurement, or a page, is made from: found in its code.

The key of a measurement is a dict, JSON-ready::

    cells       hash of the page's statements that it is made from
    files       {file of the package: hash}: modules, programs, sources in C
    packages    {distribution: version} of the libraries that these import
    python      the interpreter
    compilers   {language: version and hash}, where C or C++ is compiled
    environment {variable: value} of those set that choose code
    instrument  the version of what takes the samples
    preset, device, seed

Of the measuring statement its call counts, and not what is made of the
result.  Another statement belongs to a measurement where it binds, or may
change, a name that this call reads, or one that belongs to it already.  A
module of the package belongs to it where one of them, or another module that
belongs to it, imports it or names it in a text, as programs of other
processes are named; sources are named so, too.  What takes the samples is in
the key as one number; what only judges, draws and stores never is.  In doubt
a key holds too much: then something is measured again that need not be.

Code is compared as Python reads it: its layout, comments and docstrings, and
in which statement a name was imported, change no key.
"""

import ast
import functools
import hashlib
import importlib.metadata
import os
import pathlib
import platform
import re
import subprocess
import sys
import sysconfig

from IPython.core.inputtransformer2 import TransformerManager

from onthefly.folders import PACKAGE
from onthefly.measure import machine
from onthefly.tools import cell_names

# The version of the stopwatch: raised when samples change their meaning, so
# that all are taken anew.  The calibration tests hold what it stands for.
INSTRUMENT = 1
# What takes samples, judges, draws and stores: it is in no key by its files.
APART = frozenset(
    {
        "__init__", "commands", "compare", "diagnose", "environment",
        "errors", "figures", "files", "folders", "measure", "page",
        "predict", "questions", "reports", "sweep", "terminal",
    }
)  # fmt: skip
BOOK = "book"  # a page's name for its Chapter, which no candidate is made of
MEASURES = ("measure", "sample", "collect", "cached")
CODE = ("cells", "files", "instrument")  # the parts of a key that are code
# What a library computes with, and no page imports.
BELOW = {"numba": "llvmlite", "jax": "jaxlib", "distributed": "dask"}
# Of an AST: what says nothing of what the code does.
_FORM = frozenset({"ctx", "kind", "type_comment", "type_ignores"})
_IMPORTS = ast.Import, ast.ImportFrom


def digest(content):
    """Return a short hash of bytes."""
    return hashlib.sha256(content).hexdigest()[:16]


# --- code as Python reads it ------------------------------------------------


def canonical(node):
    """Return the text of an AST: equal where the code does the same.

    Docstrings, imports and empty fields are left out: it does not depend on
    the version of Python, nor on where the modules lie.
    """
    if isinstance(node, list):
        code = [one for one in node if not isinstance(one, _IMPORTS)]
        return f"[{','.join(map(canonical, code))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = []
    for name, value in ast.iter_fields(node):
        if name == "body" and _documented(node):
            value = value[1:]
        if name not in _FORM and value is not None and value != []:
            fields.append(f"{name}={canonical(value)}")
    return f"{type(node).__name__}({','.join(fields)})"


def _documented(node):
    kinds = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    return isinstance(node, kinds) and ast.get_docstring(node) is not None


def hash_of(name, content):
    """Return the hash of a file's content; of a module, of its code.

    name     of the file
    content  bytes
    """
    return _hash_of_code(content) if name[-3:] == ".py" else digest(content)


_tree = functools.cache(ast.parse)  # of a file that copies of the book share


@functools.cache
def _hash_of_code(content):
    tree = _tree(content)
    own = sorted(_imported(*one) for one in imports(tree))
    return digest("\n".join([canonical(tree), *own]).encode())


def _imported(bound, module, name):
    """Return what an import says of a module's code.

    Where a module of the package lies says nothing: its file is in the key.
    """
    inside = module.partition(".")[0] == "onthefly"
    return f"{bound} {'' if inside and name else module} {name}"


class Statement:
    """One statement of a page.

    node         its AST
    first, last  its lines in the cell
    reads        names that it reads
    binds        names that it binds, or may change
    """

    def __init__(self, node):
        self.node = node
        self.first, self.last = node.lineno, node.end_lineno
        self.reads, bound = cell_names.of(node)
        self.changes = _changed(node, self.reads)
        self.binds = bound | self.changes
        self.bound = bound

    @property
    def defers(self):
        """Whether some of it runs later: a function, or a lambda."""
        kinds = ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda
        return any(isinstance(part, kinds) for part in ast.walk(self.node))

    @property
    def imports(self):
        """Whether it is an import and nothing else."""
        return isinstance(self.node, (ast.Import, ast.ImportFrom))

    @functools.cached_property
    def asking(self):
        """The AST of what it asks for: its calls of the Chapter, or itself.

        What is made of the result changes no sample.  Where a call reads
        what its own statement binds, as in a loop, that counts whole.
        """
        if isinstance(self.node, ast.FunctionDef):
            return self.node
        calls = list(_asking_calls(self.node))
        read = set().union(*map(_names, calls))
        bound = _names(self.node, ast.Store) - set().union(
            *(_names(call, ast.Store) for call in calls)
        )
        if not calls or read & bound:
            return self.node
        return ast.Module([ast.Expr(call) for call in calls], [])


def _changed(node, reads):
    """Return the names whose objects a statement may change in place.

    A call that stands alone, as ``ways.update(…)``, is made for its effect;
    so is what assigns to an element or attribute.  A module stays as it is.
    """
    changed = set()
    for part in ast.walk(node):
        if isinstance(part, ast.For):
            changed |= _looped(part)
        if isinstance(part, (ast.Subscript, ast.Attribute)):
            if isinstance(part.ctx, ast.Store):
                changed.add(_root(part))
        elif _has_effect(part):
            changed |= _handed(part)
    return changed & reads - {BOOK}


def _handed(node):
    """Return the names in a node but those of functions that it calls."""
    called = {
        id(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)
    }
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and id(part) not in called
    }


def _has_effect(node):
    """Tell whether a node is a call made for its effect, not the book's."""
    return (
        isinstance(node, ast.Expr)
        and any(isinstance(x, (ast.Call, ast.Await)) for x in ast.walk(node))
        and not _of_book(node.value)
    )


def _looped(loop):
    """Return the names of a loop's objects that its body may change."""
    used = set()
    for part in ast.walk(loop):
        if _has_effect(part):
            used |= _handed(part)
    return _names(loop.iter) if used & _names(loop.target) else set()


def _names(node, context=ast.expr_context):
    return {
        x.id
        for x in ast.walk(node)
        if isinstance(x, ast.Name) and isinstance(x.ctx, context)
    }


def _asking_calls(node):
    """Yield the calls in a node that ask the Chapter, none within another."""
    if isinstance(node, ast.Call) and (
        (_of_book(node) and getattr(node.func, "attr", "") in MEASURES)
        or any(getattr(x, "id", "") == BOOK for x in node.args)
    ):
        yield node
        return
    for part in ast.iter_child_nodes(node):
        yield from _asking_calls(part)


def _root(node):
    """Return the name of the object whose part of a part this is, or ""."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _of_book(node):
    """Tell whether an expression is a call of the Chapter's own."""
    return isinstance(node, ast.Call) and _root(node.func) == BOOK


def of_book(node):
    """Yield (method, arguments) of each call of the Chapter in a node.

    Of a function that is handed the Chapter, the method is "".
    """
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            if _of_book(part):
                yield getattr(part.func, "attr", ""), part.args
            elif any(getattr(x, "id", "") == BOOK for x in part.args):
                yield "", part.args


@functools.cache  # each measurement asks for all cells before it
def statements(source):
    """Return the Statements of a cell, none for what is no Python.

    Those within an `if` are statements of their own: it decides whether
    something is measured, and not what.
    """
    return tuple(map(Statement, _flat(_parsed(source))))


@functools.cache
def _parsed(source):
    """Return the nodes of a cell, which may hold IPython's own commands."""
    try:
        return ast.parse(TransformerManager().transform_cell(source)).body
    except SyntaxError:
        return []


def _flat(body):
    """Yield statements, and those of each `if` in its place."""
    for node in body:
        if isinstance(node, ast.If):
            if any(_asking_calls(node.test)):
                yield ast.copy_location(ast.Expr(node.test), node.test)
            yield from _flat([*node.body, *node.orelse])
        else:
            yield node


def imports(tree, wanted=None):
    """Yield (bound name, module, name or "") of a tree's imports.

    wanted  names that are read; None for all
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                if wanted is None or bound in wanted:
                    yield bound, alias.name, ""
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                bound = alias.asname or alias.name
                if wanted is None or bound in wanted:
                    yield bound, node.module, alias.name


# --- the package's files ----------------------------------------------------


class Package:
    """The files of the package, and which of them name which.

    folder  by default the one that this process runs
    """

    def __init__(self, folder=PACKAGE):
        self.folder = folder
        self._files = {
            path.relative_to(folder).as_posix(): path
            for path in sorted(folder.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }
        self._modules = {
            _module(name): name for name in self._files if name[-3:] == ".py"
        }
        self._in_folder = {}
        for name in self._files:
            self._in_folder.setdefault(_folder(name), []).append(name)
        self._used = {}

    def named_in(self, nodes):
        """Return the modules' files that texts in some nodes name."""
        return {
            self._file(part.value)
            for node in nodes
            for part in ast.walk(node)
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        }

    @property
    def files(self):
        """The names of all files, sorted."""
        return list(self._files)

    def closure(self, modules, whole=False):
        """Return (files, packages) that some modules are made from.

        modules  names, as "onthefly.kernels.pi.pi_c"; of others than the
                 package's own the distribution counts
        whole    whether what takes, judges and stores samples counts, too
        """
        files, packages = set(), set()
        todo = [self._file(module) or module for module in modules]
        while todo:
            one = todo.pop()
            if one in self._files:
                if one not in files and (whole or not _apart(one)):
                    files.add(one)
                    todo += self.used(one)
            else:
                packages.add(one.partition(".")[0])
        return files, packages

    def _file(self, module):
        return self._modules.get(module, "")

    def used(self, name):
        """Return the files and packages that a file names."""
        if name not in self._used:
            used = self._named_in(name) if name[-3:] == ".py" else set()
            self._used[name] = used
        return self._used[name]

    def _named_in(self, name):
        tree = _tree(self._files[name].read_bytes())
        used = {self.of_import(*pair) for _, *pair in imports(tree)}
        beside = name.rpartition("/")[0]
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                used |= self._named(node.value, beside)
            elif isinstance(node, ast.JoinedStr):
                used |= self._fitting(_pattern(node, _module(name)), beside)
        return used - {"", name}

    def _fitting(self, pattern, beside):
        """Return the files that a text with gaps may name.

        A module, by its whole name wherever it is; or what is in a folder.
        """
        if not pattern:
            return set()
        fits = re.compile(pattern).fullmatch
        found = {
            name
            for name in self._in_folder.get(beside, ())
            if fits(_module(name)) or fits(name.rpartition("/")[2])
        }
        if pattern.startswith("onthefly"):
            found |= {name for name in self._files if fits(_module(name))}
        return found

    def of_import(self, module, name=""):
        """Return the file, or the package, that an import takes."""
        if module.partition(".")[0] != "onthefly":
            return module
        whole = f"{module}.{name}" if name else module
        return self._file(whole) or self._file(module)

    @functools.cache  # noqa: B019 (as long as the package)
    def imported_at_once(self, module):
        """Return the full names that importing a module imports with it."""
        file = self._file(module)
        if not file:
            return []
        tree = _tree(self._files[file].read_bytes())
        return [
            _dotted(*pair)
            for node in _executed(tree)
            if isinstance(node, _IMPORTS)
            for _, *pair in imports(node)
        ]

    def is_module(self, module, name):
        """Tell whether an import binds a module, which no call changes."""
        return not name or bool(self._file(f"{module}.{name}"))

    def _named(self, text, beside):
        """Return the files that a text names: a module, or what is beside."""
        if file := self._file(text):
            return {file}
        if not 3 < len(text) < 60 or "." not in text or " " in text:
            return set()
        places = (f"{folder}/{text}".lstrip("/") for folder in (beside, ""))
        return {place for place in places if place in self._files}

    @functools.cache  # noqa: B019 (as long as the package)
    def hash(self, name):
        """Return the hash of a file, as `hash_of`; "" where there is none."""
        path = self._files.get(name)
        return hash_of(name, path.read_bytes()) if path else ""

    @functools.cache  # noqa: B019
    def _digest(self, name):
        return digest(self._files[name].read_bytes())

    def digests(self, names):
        """Return {file: hash of all its bytes}, sorted: a comment counts."""
        return {name: self._digest(name) for name in sorted(names)}

    def hashes(self, names):
        """Return {file: hash}, sorted."""
        return {name: self.hash(name) for name in sorted(names)}


def _folder(name):
    return name.rpartition("/")[0]


def _module(name):
    """Return the name of the module in a file of the package."""
    stem = name.removesuffix(".py").removesuffix("__init__").rstrip("/")
    return ".".join(["onthefly", *stem.split("/")]) if stem else "onthefly"


def _pattern(node, module):
    """Return the pattern of the texts that an f-string may be in a module."""
    parts = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            parts.append(re.escape(part.value))
        elif getattr(part.value, "id", "") == "__name__":
            parts.append(re.escape(module))
        else:
            parts.append(".+")
    return "".join(parts) if set(parts) != {".+"} else ""


def _apart(name):
    """Tell whether a file takes, judges or stores samples."""
    return name.partition("/")[0].removesuffix(".py") in APART


@functools.cache
def package(folder=PACKAGE):
    """Return the Package in a folder; by default the one that runs."""
    return Package(folder)


@functools.cache
def packages_of(module):
    """Return {distribution: version} of those that hold a module.

    {} for what is of Python itself.
    """
    if module in sys.stdlib_module_names:
        return {}
    holders = _distributions().get(module, ())
    return {name: importlib.metadata.version(name) for name in set(holders)}


@functools.cache
def _distributions():
    return importlib.metadata.packages_distributions()


# --- keys -------------------------------------------------------------------


def interpreter():
    """Return the interpreter's version, with what changes its speed."""
    free = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    return platform.python_version() + (" free-threaded" if free else "")


# Variables that choose other code, or a compiler, for the same source.
_SETTINGS = re.compile(
    r"CC|CXX|(C|CXX|CPP|LD)FLAGS|NUMBA_(?!CACHE_DIR$)\w+|XLA_FLAGS|JAX_\w+"
    r"|(OMP|GOMP|KMP|MKL|OPENBLAS)_\w+|TF_(?!CPP_|CLI_)\w+"
)


def chooses_code(variable):
    """Tell whether a variable of the environment changes what is computed."""
    return bool(_SETTINGS.fullmatch(variable))


@functools.cache
def settings():
    """Return {variable: value} of those that change what is computed.

    As this process was started: a page sets some itself, which its cells say.
    """
    try:
        started = pathlib.Path("/proc/self/environ").read_bytes()
    except OSError:  # not on Linux
        pairs = dict(os.environ).items()
    else:
        texts = os.fsdecode(started).split("\0")
        pairs = (text.split("=", 1) for text in texts if "=" in text)
    return {
        name: value
        for name, value in sorted(pairs)
        if value and chooses_code(name)
    }


# What runs a compiler of C and C++; all that is compiled belongs to it.
COMPILES = {"tools/cpp.py", "tools/extensions.py"}


@functools.cache
def compilers():
    """Return {language: its compiler here}: what it says, and its hash.

    A program of the same name and version that adds options of its own, as
    -O0, is another compiler.
    """
    found = {}
    for language in ("C", "C++"):
        if path := machine.compiler(language):
            said = subprocess.run(
                [path, "--version"], capture_output=True, text=True
            ).stdout.partition("\n")[0]
            found[language] = (
                f"{said}, {digest(pathlib.Path(path).read_bytes())}"
            )
    return found


def code(cells, files=None):
    """Return those parts of a measurement's key that are code.

    cells, files  as for `key`
    """
    return _made_from(cells, files or package())[0]


def code_of(key):
    """Return those parts of a key that are code."""
    return {part: key[part] for part in CODE if part in key}


def key(cells, parameters, files=None):
    """Return the key of a measurement.

    cells       Statements of the page, up to the measuring one
    parameters  {name: value} of preset, device and seed
    files       the Package; by default the one that this process runs
    """
    parts, packages = _made_from(cells, files or package())
    packages |= {BELOW[name] for name in packages & BELOW.keys()}
    versions = map(packages_of, sorted(packages))
    compiles = COMPILES & parts["files"].keys()
    return {
        **parts,
        "packages": {k: v for each in versions for k, v in each.items()},
        "python": interpreter(),
        **({"compilers": compilers()} if compiles else {}),
        **({"environment": settings()} if settings() else {}),
        **parameters,
    }


def slice_of(cells, files=None):
    """Return (statements, imports) that a measurement is made from.

    cells, files  as for `key`

    The statements are canonical texts in their order, imports apart, which
    are "name = module.name".
    """
    belong, taken = _belonging(cells, files or package())
    texts = [canonical(x.node) for x in belong[:-1] if not x.imports]
    texts.append(canonical(belong[-1].asking))
    return texts, sorted(
        f"{bound} = {'.'.join(filter(None, pair))}" for bound, *pair in taken
    )


def made_from(cells, files=None):
    """Return the Statements that a measurement is made from, imports apart.

    cells, files  as for `key`
    """
    belong, _ = _belonging(cells, files or package())
    return [one for one in belong if not one.imports]


def _belonging(cells, files):
    """Return (Statements, imports) that the last statement is made from."""
    *before, last = cells
    modules = _module_names(before, files)
    effects = [one.bound | one.changes - modules for one in before]
    read, belong = _read_by(last.asking) - {BOOK}, set()
    todo = [(read, len(before))]
    while todo:
        wanted, end = todo.pop()
        for place, one in enumerate(before[:end]):
            effect = effects[place] & wanted and place not in belong
            if effect and not _is_parameter_data(one.node):
                belong.add(place)
                read = read | one.reads - {BOOK}
                # What a function reads may be bound below it.
                below = len(before) if one.defers else place
                todo.append((one.reads - {BOOK}, below))
    made = [before[place] for place in sorted(belong)] + [last]
    return made, [x for one in made for x in imports(one.node, read)]


def _read_by(node):
    """Return the names that an AST reads."""
    body = node.body if isinstance(node, ast.Module) else [node]
    return set().union(*(cell_names.of(one)[0] for one in body))


def _module_names(cells, files):
    """Return the names that statements bind to modules."""
    return {
        bound
        for one in cells
        if one.imports
        for bound, *pair in imports(one.node)
        if files.is_module(*pair)
    }


def _is_parameter_data(node):
    """Tell whether a statement is the parameter `data`, as `source` reads."""
    return (
        isinstance(node, ast.Assign)
        and [getattr(x, "id", "") for x in node.targets] == ["data"]
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _made_from(cells, files):
    """Return ({part of a key: its code}, packages) of a measurement."""
    texts, names = slice_of(cells, files)
    belong, taken = _belonging(cells, files)
    modules = {files.of_import(*pair) for _, *pair in taken}
    modules |= files.named_in([one.node for one in belong])
    used, packages = files.closure(modules - {""})
    parts = {
        "cells": digest("\n".join([*texts, *names]).encode()),
        "files": files.hashes(used),
        "instrument": INSTRUMENT,
    }
    return parts, packages


def changes(old, new):
    """Return what differs between two keys: words for each part."""
    words = []
    for part in sorted(old | new):
        was, now = old.get(part), new.get(part)
        if was == now:
            continue
        if isinstance(was, dict) and isinstance(now, dict):
            every = sorted(k for k in was | now if was.get(k) != now.get(k))
            words.append(f"{part} {', '.join(every)}")
        else:
            words.append(part)
    return words


# --- pages ------------------------------------------------------------------


def asked(cells, parameters, files=None):
    """Yield (Statement, its key) of those that may ask for a measurement.

    cells       sources of a page's code cells, those that run, in order
    parameters  {name: value} of preset, device and seed
    files       the Package; by default the one that this process runs
    """
    every, own = [], set()
    for source in cells:
        for statement in statements(source):
            every.append(statement)
            if _asks(statement) or statement.reads & own:
                if isinstance(statement.node, ast.FunctionDef):
                    own |= statement.binds  # who calls it asks
                yield statement, key(every, parameters, files)


def _asks(statement):
    """Tell whether a statement may ask for a measurement, or its callee."""
    methods = {method for method, _ in of_book(statement.node)}
    return bool(methods & {*MEASURES, ""})


def names_in(statement):
    """Yield the names of measurements that stand in a statement."""
    for method, arguments in of_book(statement.node):
        if method in MEASURES and arguments:
            name = getattr(arguments[0], "value", None)
            if isinstance(name, str):
                yield name


def is_anywhere(statement):
    """Tell whether what it asks is the same on every machine."""
    return any(
        isinstance(one, ast.keyword) and one.arg == "anywhere"
        for one in ast.walk(statement.node)
    )


def nearest(key, every):
    """Return what differs between a key and the most similar one."""
    words = (", ".join(changes(key, other)) for other in every)
    return min(words, key=len, default="not in the page")


def files_of_page(sources, files=None):
    """Return {file of the package: hash} that a page rests on, all of them.

    sources  texts of its code: cells, and the module beside it
    files    the Package; by default the one that this process runs
    """
    files = files or package()
    nodes = [s.node for source in sources for s in statements(source)]
    modules = {
        files.of_import(*pair) for node in nodes for _, *pair in imports(node)
    }
    modules |= files.named_in(nodes)
    used, _ = files.closure(modules - {""}, whole=True)
    return files.digests(used)  # of which a page may show a comment


def pages_of(sources):
    """Return the slugs of other pages whose measurements a page takes.

    sources  texts of its code cells
    """
    return sorted(
        {
            getattr(arguments[0], "value", "")
            for source in sources
            for statement in statements(source)
            for method, arguments in of_book(statement.node)
            if method == "timings_of" and arguments
        }
    )


def libraries_of(source, optional, files=None):
    """Return the optional libraries that a cell cannot run without.

    source    text of the cell
    optional  {module: library's key}
    files     the Package

    What it imports in an `if`, a `try` or a function, it asks for by itself.
    """
    files, found, seen = files or package(), set(), set()
    todo = [
        _dotted(*pair)
        for node in _parsed(source)
        if isinstance(node, _IMPORTS)
        for _, *pair in imports(node)
    ]
    while todo:
        module = todo.pop()
        parts = module.split(".")
        parents = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
        if hit := next((optional[n] for n in parents if n in optional), ""):
            found.add(hit)
        for name in set(parents) - seen:
            seen.add(name)
            todo += files.imported_at_once(name)
    return found


def _dotted(module, name):
    return f"{module}.{name}" if name else module


def _executed(tree):
    """Yield the nodes of a module that run when it is imported.

    What a try looks after is not counted: the module can do without it.
    """
    functions = ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda
    for node in ast.iter_child_nodes(tree):
        looked_after = isinstance(node, ast.Try) and node.handlers
        if not looked_after and not isinstance(node, functions):
            yield node
            yield from _executed(node)
