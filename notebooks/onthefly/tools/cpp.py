"""C and C++ for the processor, compiled while a page runs."""

import contextlib
import pathlib
import subprocess
import tempfile

from onthefly import machine, provenance

OUTPUT = {"check": True, "capture_output": True, "text": True}


def missing(language="C++"):
    """Say in a few words that there is no compiler, or return ""."""
    return "" if machine.compiler(language) else f"no {language} compiler"


def version(language="C++"):
    """Return the compiler's first line about itself."""
    command = [machine.compiler(language), "--version"]
    return subprocess.run(command, **OUTPUT).stdout.splitlines()[0]


def _compile(source, flags, links=()):
    """Run the compiler on a file; return what it prints."""
    language = "C" if source.suffix == ".c" else "C++"
    command = [machine.compiler(language), *flags, source, *links]
    provenance.note_file(source)
    return subprocess.run(command, **OUTPUT).stdout


def build(source, library, flags=(), links=()):
    """Compile a source file into a shared library; return its path.

    source   path, which ends in .c for C
    library  path of the library
    flags    options of the compiler
    links    libraries that it needs, as -ldl

    Raises CalledProcessError where the compiler refuses it.
    """
    _compile(source, [*flags, "-shared", "-fPIC", "-o", library], links)
    return library


@contextlib.contextmanager
def built(source, flags=()):
    """Compile C or C++ into a shared library; give its path as text.

    source  path of a file, or a text in C++
    flags   options of the compiler

    Load it within the block: afterwards the file is gone, what was loaded
    stays.  Raises CalledProcessError where the compiler refuses it.
    """
    with tempfile.TemporaryDirectory(prefix="onthefly") as folder:
        if isinstance(source, str):
            text, source = source, pathlib.Path(folder, "kernel.cpp")
            source.write_text(text)
        library = pathlib.Path(folder, "kernel.so")
        yield str(build(source, library, flags))


def assembly(source, flags=()):
    """Return the assembly that the compiler makes of a source file."""
    return _compile(source, [*flags, "-S", "-o", "-"])
