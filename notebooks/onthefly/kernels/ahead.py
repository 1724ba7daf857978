"""Python that is compiled before it runs: by Cython, mypyc or Pythran.

Each makes an extension of a file that holds all eight problems, as functions
``<problem>_<way>``.  It is kept in _build/ahead until the file, the compiler,
the interpreter or the machine is another one.
"""

import contextlib
import functools
import hashlib
import pathlib
import sys
import tempfile

from onthefly import files, folders
from onthefly.kernels import ahead_child
from onthefly.measure import libraries, machine
from onthefly.tools import cpp, extensions
from onthefly.tools.processes import Program

# {way: its file}, by the names of the functions of ahead_child.
SOURCES = {
    "cython": "kernels/eight_cython.pyx",
    "mypyc": "kernels/eight_mypyc.py",
    "pythran": "kernels/eight_pythran.py",
}


def source(way):
    """Return the path of the file that a way compiles."""
    path = folders.PACKAGE / SOURCES[way]
    return path


def missing(way):
    """Return what a way's build lacks on this machine, or an empty text."""
    library = libraries.LIBRARIES[way]
    if not library.here():
        return f"no {library.name}"
    return extensions.missing() or (cpp.missing() if way == "pythran" else "")


def build(way, folder):
    """Compile a way's file in a folder; return (seconds, path).

    The seconds are of a process that has nothing of it imported yet, the
    path is that of the extension.  Raises libraries.Missing for what this
    machine lacks, processes.Failed where a compiler refuses the file.
    """
    if lack := missing(way):
        raise cpp.lacking(lack)
    with Program(ahead_child.__name__) as program:
        return program.ask("build", way, str(source(way)), str(folder))


@functools.cache
def library(way):
    """Return the path of a way's extension; builds it where none is kept."""
    path = source(way)
    parts = (
        path.read_text(),
        libraries.version(*libraries.LIBRARIES[way].packages),
        *ahead_child.NATIVE,
        sys.version,
        machine.identity(),
    )
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    kept = folders.build_dir() / "ahead" / name / f"{path.stem}.so"
    if not kept.exists():
        with tempfile.TemporaryDirectory(prefix="ahead") as folder:
            _, made = build(way, folder)
            files.write(kept, pathlib.Path(made).read_bytes())
    return kept


def prepare(way):
    """Build a way's extension, where its compiler is not missing."""
    with contextlib.suppress(libraries.Missing):
        library(way)


@functools.cache
def module(way):
    """Return the extension of a way as a module."""
    return ahead_child.loaded(source(way).stem, library(way))
