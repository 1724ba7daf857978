"""Environments in which a library is really absent."""

import importlib.metadata
import pathlib
import sys
import sysconfig
import venv

from onthefly.libraries import LIBRARIES

SHARED = ("etc", "share")  # where Jupyter's own files are


def without(library, folder):
    """Make an environment like this one, but for one library.

    library  its key in the lab's table
    folder   of the environment; what is there is removed

    Its packages are links to those of this environment, so that it is made
    in a second and takes no room.  Returns the path of its Python.
    """
    folder = pathlib.Path(folder).resolve()
    venv.create(folder, clear=True, symlinks=True)
    own = pathlib.Path(sysconfig.get_path("purelib"))
    packages = pathlib.Path(
        sysconfig.get_path("purelib", "venv", {"base": str(folder)})
    )
    absent = _entries(*LIBRARIES[library].packages)
    for entry in own.iterdir():
        if entry.name not in absent and entry.name != "__pycache__":
            link = packages / entry.name
            link.unlink(missing_ok=True)
            link.symlink_to(entry)
    for name in SHARED:
        if (found := pathlib.Path(sys.prefix, name)).exists():
            (folder / name).symlink_to(found)
    return folder / "bin" / "python"


def _entries(*packages):
    """Return the names that distributions have in the folder of packages."""
    found = set()
    for package in packages:
        try:
            files = importlib.metadata.files(package)
        except importlib.metadata.PackageNotFoundError:
            continue
        found |= {file.parts[0] for file in files or ()}
    return found - {".."}
