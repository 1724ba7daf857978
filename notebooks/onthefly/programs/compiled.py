"""Worked programs that a compiler of Python makes an extension of."""

import functools

from onthefly import folders
from onthefly.kernels import ahead, ahead_child
from onthefly.measure import libraries
from onthefly.programs import building
from onthefly.tools import cpp
from onthefly.tools.processes import Program

PROGRAMS = folders.PACKAGE / "programs"


@functools.cache
def extension(way, script):
    """Return (path, seconds) of the extension of a script, and its build.

    way     "cython" or "mypyc"
    script  its path within the folder of programs

    The seconds are of a process that has imported nothing of it yet.  Raises
    libraries.Missing for what this machine lacks.
    """
    source, library = PROGRAMS / script, libraries.LIBRARIES[way]

    def build(folder):
        if lack := ahead.missing(way):
            raise cpp.lacking(lack)
        with Program(ahead_child.__name__) as program:
            return program.ask("build", way, str(source), str(folder))

    version = libraries.version(*library.packages)
    parts = source.read_text(), way, version, *ahead_child.NATIVE
    return building.kept("ahead", source.stem, parts, build)


@functools.cache
def module(way, script):
    """Return the extension of a script as a module, as of `extension`."""
    path, _ = extension(way, script)
    return ahead_child.loaded(path.stem, path)
