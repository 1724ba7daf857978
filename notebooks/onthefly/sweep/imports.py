"""Which files and distributions a source rests on, without importing it:
another version may not even be able to.
"""

import ast
import functools
import importlib.metadata
import sys

from packaging.utils import canonicalize_name


def closure(path, roots, follows=lambda path: True):
    """Return (files, packages) that a source is made from.

    path     of the file, which is one of them
    roots    folders in which the modules that it imports may lie
    follows  function of a file: whether what it imports counts, too

    Packages are the top names of what lies elsewhere.
    """
    files, packages, todo = set(), set(), [path]
    while todo:
        one = todo.pop()
        if one in files or not follows(one):
            continue
        files.add(one)
        for module, name in _imports(one):
            found = _file(f"{module}.{name}", roots) or _file(module, roots)
            if found:
                todo.append(found)
            else:
                packages.add(module.partition(".")[0])
    return sorted(files), packages


def _imports(path):
    """Yield (module, name or "") of each import in a file."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((node.module, alias.name) for alias in node.names)


def _file(module, roots):
    """Return the path of a module's file in one of some folders, or None."""
    place = module.rstrip(".").replace(".", "/")
    names = f"{place}.py", f"{place}/__init__.py"
    paths = (root / name for root in roots for name in names)
    return next((path.resolve() for path in paths if path.is_file()), None)


def distributions(packages, here=False):
    """Return the distributions that hold packages, by their own names.

    here  whether one that is not installed here counts for nothing; else it
          is called as the package

    What Python brings, and this package, are none.
    """
    none = sys.stdlib_module_names | {"onthefly"}
    known = _installed()
    return frozenset(
        canonicalize_name(known.get(top, [top])[0])
        for top in packages - none
        if top in known or not here
    )


_installed = functools.cache(importlib.metadata.packages_distributions)
