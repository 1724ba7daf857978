"""The function of the user: found, loaded, and called from here on."""

import difflib
import importlib
import importlib.util
import pathlib
import re
import sys

from onthefly.refused import Refused


def folders(target):
    """Return the folders in which a function's module is looked for first.

    A file's own, as when Python runs it, then the current one.
    """
    path = pathlib.Path(target.rpartition(":")[0])
    own = [path.resolve().parent] if path.suffix == ".py" else []
    return [*own, pathlib.Path.cwd()]


def find(target):
    """Return the function of ``package.module:function`` or a file's.

    Raises Refused where there is none.
    """
    where, colon, name = target.rpartition(":")
    if not colon or not where or not name:
        raise Refused(
            f"{target!r}: no function named; write package.module:function "
            "or path/to/file.py:function"
        )
    is_file = where.endswith(".py")
    module = _load_file(where) if is_file else _load_module(where)
    function = module
    for part in name.split("."):
        if not hasattr(function, part):
            near = difflib.get_close_matches(part, dir(function), 3)
            hint = f"; it has {', '.join(near)}" if near else ""
            raise Refused(
                f"{where}: no function {part!r} in it{hint}; "
                "repair: name one that it defines"
            )
        function = getattr(function, part)
    if not callable(function):
        kind = type(function).__name__
        raise Refused(
            f"{target}: not callable, but a value of type {kind}; "
            "repair: name a function"
        )
    return function


def plain(function):
    """Return the Python function that Numba compiled, or what was given."""
    numba = sys.modules.get("numba")
    if numba and isinstance(function, numba.core.dispatcher.Dispatcher):
        return function.py_func
    return function


def _load_file(where):
    path = pathlib.Path(where)
    if not path.is_file():
        raise Refused(f"{where}: no such file; repair: correct the path")
    known = sys.modules.get(path.stem)
    if known and getattr(known, "__file__", None) == str(path.resolve()):
        return known
    path = path.resolve()
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    return _importing(
        where, lambda: spec.loader.exec_module(module) or module
    )


def _load_module(where):
    return _importing(where, lambda: importlib.import_module(where))


def _importing(where, load):
    """Return the module; Refused tells a missing from a broken one."""
    try:
        return load()
    except ModuleNotFoundError as error:
        if error.name and (where + ".").startswith(error.name + "."):
            raise Refused(
                f"{where}: no module {error.name!r}; repair: start in its "
                "folder, set PYTHONPATH, or name the file: "
                "path/to/file.py:function"
            ) from None
        raise _broken(where, error) from None
    except (Exception, SystemExit) as error:
        raise _broken(where, error) from None


def _broken(where, error):
    return Refused(
        f"{where}: its import fails: {said(error)}; "
        "repair: make the import work first"
    )


def said(error):
    """Return an error as one line, without addresses of objects."""
    text = " ".join(re.sub(" at 0x[0-9a-f]+", "", str(error)).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
