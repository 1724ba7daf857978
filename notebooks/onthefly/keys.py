"""What a measurement is made from: the key under which it is kept.

A key is a dict, JSON-ready::

    cells     hash of the page's statements that it is made from
    lab       {file of the lab: hash}: modules, programs, sources in C
    packages  {distribution: version} of the libraries that these import
    python    the interpreter
    preset, device, seed

A statement belongs to a measurement where it binds, or may change, a name
that the measuring statement reads, or one that belongs to it already.  A
module of the lab belongs to it where one of them, or another module that
belongs to it, imports it or names it in a text, as programs of other
processes are named; sources are named so, too.  What only judges, draws and
stores never does.  In doubt a key holds too much: then something is measured
again that need not be.
"""

import ast
import functools
import hashlib
import importlib.metadata
import platform
import re
import sys
import sysconfig

from IPython.core.inputtransformer2 import TransformerManager

from onthefly.provenance import LAB
from onthefly.tools import cell_names

BOOK = (
    "book"  # a page's name for its Chapter, which no candidate is made from
)

# Modules and packages of the lab that change no sample: they judge, draw and
# store, or say what is here.
TELLING = frozenset(
    {
        "claims", "data", "engine", "errors", "expectations", "figures",
        "files", "findings", "keys", "libraries", "missing", "models",
        "nvml", "page", "plots", "presets", "prose", "provenance",
        "quantity", "results", "source", "timings",
    }
)  # fmt: skip
CODE = ("cells", "lab")  # the parts of a key that are code
ALWAYS = ("clock.py", "machine.py", "samples.py")  # take every sample
# What a library computes with, and no page imports.
BELOW = {"numba": "llvmlite", "jax": "jaxlib", "distributed": "dask"}


def digest(content):
    """Return a short hash of bytes."""
    return hashlib.sha256(content).hexdigest()[:16]


class Statement:
    """One statement of a page: its text, and the names of its own.

    text   its lines, without comments and empty lines
    reads  names that it reads
    binds  names that it binds, or may change
    """

    def __init__(self, node, lines):
        self.node = node
        self.first, self.last = node.lineno, node.end_lineno
        self.text = _plain(lines[self.first - 1 : self.last])
        self.reads, self.binds = cell_names.of(node)
        self.binds |= _changed(node, self.reads)


def _plain(lines):
    """Return lines as a text, without those that say nothing to Python."""
    said = (line.rstrip() for line in lines)
    kept = [x for x in said if x.strip() and not x.lstrip().startswith("#")]
    return "\n".join(kept)


def _changed(node, reads):
    """Return the names whose objects a statement may change in place.

    What an expression alone does with an object, as ``ways.update(…)``, it
    does for its effect; so does what assigns to an element or attribute.
    """
    if isinstance(node, ast.Expr):
        return set() if _of_book(node.value) else reads - {BOOK}
    changed = set()
    for part in ast.walk(node):
        if isinstance(part, ast.For):
            changed |= _looped(part)
        if isinstance(part, (ast.Subscript, ast.Attribute)):
            if isinstance(part.ctx, ast.Store):
                changed.add(_root(part))
        elif isinstance(part, ast.Expr) and not _of_book(part.value):
            changed |= _names(part)
    return changed & reads


def _looped(loop):
    """Return the names of a loop's objects that its body may change."""
    used = set()
    for part in ast.walk(loop):
        if isinstance(part, ast.Expr) and not _of_book(part.value):
            used |= _names(part)
    return _names(loop.iter) if used & _names(loop.target) else set()


def _names(node):
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}


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
    """Return the Statements of a cell, none for what is no Python."""
    text = TransformerManager().transform_cell(source)
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return ()
    lines = text.split("\n")
    return tuple(Statement(node, lines) for node in body)


def within(all_):
    """Return those Statements that the last one is made from, and itself.

    all_  the page's, up to the last one
    """
    *before, last = all_
    wanted, belong = last.reads - {BOOK}, [last]
    for statement in reversed(before):
        if statement.binds & wanted and not _says_whose(statement.node):
            belong.append(statement)
            wanted |= statement.reads - {BOOK}
    return belong[::-1]


def _says_whose(node):
    """Tell whether a statement is the parameter `data`, as `source` reads."""
    return (
        isinstance(node, ast.Assign)
        and [getattr(x, "id", "") for x in node.targets] == ["data"]
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def imported(statement, wanted):
    """Yield (module, name or "") of what a statement imports of `wanted`.

    wanted  names that are read; None for all
    """
    for node in ast.walk(statement):
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                if wanted is None or bound in wanted:
                    yield alias.name, ""
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if wanted is None or (alias.asname or alias.name) in wanted:
                    yield node.module, alias.name


class Lab:
    """The files of a lab, and which of them import which.

    folder  by default the lab that this process runs
    """

    def __init__(self, folder=LAB):
        self.folder = folder
        self._files = {
            path.relative_to(folder).as_posix(): path
            for path in sorted(folder.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }
        self._modules = {
            _module(name): name for name in self._files if name[-3:] == ".py"
        }
        self._used = {}

    def closure(self, modules):
        """Return (files, packages) that some modules are made from.

        modules  names, as "onthefly.kernels.pi_c"; of others than the lab's
                 the package counts
        """
        files, packages = set(), set()
        todo = [self._file(module) or module for module in modules]
        while todo:
            one = todo.pop()
            if one in self._files:
                if one not in {*files, *ALWAYS} and not _tells(one):
                    files.add(one)
                    todo += self.used(one)
            else:
                packages.add(one.partition(".")[0])
        return files, packages

    def _file(self, module):
        return self._modules.get(module, "")

    def used(self, name):
        """Return the files and packages that a file of the lab names."""
        if name not in self._used:
            used = self._names(name) if name[-3:] == ".py" else set()
            self._used[name] = used
        return self._used[name]

    def _names(self, name):
        tree = ast.parse(self._files[name].read_text(encoding="utf-8"))
        used = {self.of_import(*pair) for pair in imported(tree, None)}
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
        return {
            name
            for name in self._files
            if (
                re.fullmatch(pattern, _module(name))
                and (
                    pattern.startswith("onthefly") or _folder(name) == beside
                )
            )
            or (
                re.fullmatch(pattern, name.rpartition("/")[2])
                and _folder(name) == beside
            )
        }

    def of_import(self, module, name=""):
        """Return the file, or the package, that an import takes."""
        if module.partition(".")[0] != "onthefly":
            return module
        whole = f"{module}.{name}" if name else module
        return self._file(whole) or self._file(module)

    def _named(self, text, beside):
        """Return the files that a text names: a module, or what is beside."""
        if file := self._file(text):
            return {file}
        if not 3 < len(text) < 60 or "." not in text or " " in text:
            return set()
        places = (f"{folder}/{text}".lstrip("/") for folder in (beside, ""))
        return {place for place in places if place in self._files}

    @functools.cache  # noqa: B019 (as long as the lab)
    def hash(self, name):
        """Return the hash of a file's content; of a module, of its code."""
        content = self._files[name].read_bytes()
        if name.endswith(".py"):
            content = _code(content.decode()).encode()
        return digest(content)


def _folder(name):
    return name.rpartition("/")[0]


def _module(name):
    """Return the name of the module in a file of the lab."""
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


def _tells(name):
    """Tell whether a file of the lab only judges, draws and stores."""
    return name.partition("/")[0].removesuffix(".py") in TELLING


def _code(text):
    """Return a module's text without docstrings and comments."""
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        kinds = ast.Module, ast.ClassDef, ast.FunctionDef
        if isinstance(node, kinds) and ast.get_docstring(node) is not None:
            doc = node.body[0]
            if len(node.body) > 1 or isinstance(node, ast.Module):
                for line in range(doc.lineno - 1, doc.end_lineno):
                    lines[line] = ""
    return _plain(lines)


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


@functools.cache
def lab():
    """Return the Lab that this process runs."""
    return Lab()


def interpreter():
    """Return the interpreter's version, with what changes its speed."""
    free = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    return platform.python_version() + (" free-threaded" if free else "")


def code(cells, files=None):
    """Return those parts of a measurement's key that are code.

    cells, files  as for `key`
    """
    return _made_from(cells, files or lab())[0]


def code_of(key):
    """Return those parts of a key that are code."""
    return {part: key[part] for part in CODE if part in key}


def key(cells, parameters, files=None):
    """Return the key of a measurement.

    cells       Statements of the page, up to the measuring one
    parameters  {name: value} of preset, device and seed
    files       the Lab; by default the one that this process runs
    """
    parts, packages = _made_from(cells, files or lab())
    packages |= {BELOW[package] for package in packages & BELOW.keys()}
    versions = map(packages_of, sorted(packages))
    return {
        **parts,
        "packages": {k: v for each in versions for k, v in each.items()},
        "python": interpreter(),
        **parameters,
    }


def _made_from(cells, files):
    """Return ({part of a key: its code}, packages) of a measurement."""
    belong = within(cells)
    wanted = set().union(*(one.reads for one in belong))
    modules = {
        files.of_import(*pair)
        for one in belong
        for pair in imported(one.node, wanted)
    }
    used, packages = files.closure(modules - {""})
    used |= set(ALWAYS)
    parts = {
        "cells": digest("\n".join(x.text for x in belong).encode()),
        "lab": {name: files.hash(name) for name in sorted(used)},
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
