"""A function of the user's own, in a file, that is timed under versions."""

import ast
import pathlib
from dataclasses import dataclass

from onthefly.errors import UserError
from onthefly.sweep import imports
from onthefly.terminal import unknown


@dataclass(frozen=True)
class Own:
    """A function of a size, or of what a maker makes of the size.

    name      as it is shown
    path      of its file
    function  its name there
    maker     (path, name) of the function that makes its arguments, or None
    files     sources that it is made from, the maker's included
    needs     distributions that these import
    """

    name: str
    path: pathlib.Path
    function: str
    maker: tuple | None
    files: tuple
    needs: frozenset

    def seconds(self, child, sizes):
        """Return [seconds of a call of each size], ascending.

        child  a Program of timing_child

        Raises ProcessError.
        """
        folders = [str(self.path.parent), str(pathlib.Path.cwd())]
        place = str(self.path), self.function
        return [
            child.ask("own_seconds", folders, place, self.maker, size)
            for size in sizes
        ]


def chosen(library, places, maker):
    """Return the [Own] of places, FILE.py:FUNCTION each.

    library  a distribution, or "python"
    maker    a place, the name of a function in the function's file, or ""

    Raises UserError for a place that is none, and where no source imports
    the library.
    """
    functions = [_own(place, maker) for place in places]
    for one in functions:
        if library not in ("python", *one.needs):
            raise UserError(
                f"{one.path.name} does not import {library}; it imports: "
                f"{', '.join(sorted(one.needs)) or 'no library'}"
            )
    return functions


def _own(place, maker):
    path, name = _parted(place)
    makes = None
    if maker:
        makes = _parted(maker if ":" in maker else f"{path}:{maker}")
    roots = [path.parent, pathlib.Path.cwd()]
    files, packages = set(), set()
    for source in {path, makes[0]} if makes else {path}:
        some, named = imports.closure(source, roots)
        files.update(some)
        packages |= named
    return Own(
        f"{path.stem}.{name}",
        path,
        name,
        makes and (str(makes[0]), makes[1]),
        tuple(sorted(files)),
        imports.distributions(packages),
    )


def _parted(place):
    """Return (path, function's name) of a place; raises UserError."""
    where, _, name = place.rpartition(":")
    path = pathlib.Path(where or place)
    if path.suffix != ".py" or not where:
        raise UserError(
            f"{place}: no function in a file; write FILE.py:FUNCTION"
        )
    if not path.is_file():
        raise UserError(f"{where}: no such file; correct the path")
    try:
        body = ast.parse(path.read_bytes()).body
    except (SyntaxError, ValueError) as error:
        raise UserError(
            f"{where}: not valid Python ({error}); correct it"
        ) from None
    names = [n for node in body for n in _bound(node)]
    if name not in names:
        raise unknown(f"function of {where}", name, names)
    return path.resolve(), name


def _bound(node):
    """Return the names that a statement of a module may bind to functions."""
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]
