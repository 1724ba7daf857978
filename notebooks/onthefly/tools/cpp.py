"""C and C++ for the processor, compiled while a page runs."""

import contextlib
import ctypes
import pathlib
import re
import subprocess
import tempfile

from onthefly.measure import libraries, machine

NATIVE = ("-O3", "-march=native")  # as fast as this processor allows
DOUBLES = ctypes.POINTER(ctypes.c_double)
OUTPUT = {"check": True, "capture_output": True, "text": True}


def missing(language="C++"):
    """Say in a few words that there is no compiler, or return ""."""
    return "" if machine.compiler(language) else f"no {language} compiler"


def lacking(lack):
    """Return the error to raise for what a build lacks.

    lack  a few words, as `missing` returns them

    A page then leaves out what needs it, as for want of a library.
    """
    return libraries.Missing(lack.removeprefix("no "))


def version(language="C++"):
    """Return the compiler's first line about itself."""
    command = [machine.compiler(language), "--version"]
    return subprocess.run(command, **OUTPUT).stdout.splitlines()[0]


def _compile(source, flags, links=()):
    """Run the compiler on a file; return what it prints."""
    language = "C" if source.suffix == ".c" else "C++"
    command = [machine.compiler(language), *flags, source, *links]
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
def built(source, flags=(), language="C++"):
    """Compile C or C++ into a shared library; give its path as text.

    source    path of a file, or a text
    flags     options of the compiler
    language  of a text, "C" or "C++"

    Load it within the block: afterwards the file is gone, what was loaded
    stays.  Raises CalledProcessError where the compiler refuses it,
    libraries.Missing where there is none.
    """
    if not isinstance(source, str):
        language = "C" if source.suffix == ".c" else "C++"
    if lack := missing(language):
        raise lacking(lack)
    with tempfile.TemporaryDirectory(prefix="onthefly") as folder:
        if isinstance(source, str):
            suffix = "c" if language == "C" else "cpp"
            text, source = source, pathlib.Path(folder, f"kernel.{suffix}")
            source.write_text(text)
        library = pathlib.Path(folder, "kernel.so")
        yield str(build(source, library, flags))


def function(source, name, arguments, result=None, flags=NATIVE):
    """Compile C and return one of its functions; calls let go of the GIL.

    source     path of a file, or a text
    name       of the function
    arguments  their types, of ctypes
    result     its type, or None

    A pointer takes ``ctypes.c_double.from_buffer(array)``, which costs a
    quarter of a microsecond; ``np.ctypeslib.ndpointer`` costs two.  Raises
    what `built` raises.
    """
    with built(source, flags, "C") as path:
        compiled = getattr(ctypes.CDLL(path), name)
    compiled.argtypes, compiled.restype = arguments, result
    return compiled


def assembly(source, flags=()):
    """Return the assembly that the compiler makes of a source file."""
    return _compile(source, [*flags, "-S", "-o", "-"])


class Listing(str):
    """A text in C, which a page shows as code."""

    def _repr_markdown_(self):
        return f"```c\n{self}\n```"


def functions(source, *names):
    """Return the Listing of some functions of a source file in C.

    source  path; a function begins at the left margin with its type and its
            name, and ends with a brace there
    names   in the order in which they are to be shown, each with the comment
            above it

    Raises KeyError for a name that is none.
    """
    text, found = source.read_text(), []
    for name in names:
        whole = rf"(^/\*[^\n]*\*/\n)?^\w[^\n;=]*\b{name}\(.*?^\}}"
        match = re.search(whole, text, re.M | re.S)
        if not match:
            raise KeyError(f"{source.name}: no function {name}")
        found.append(match[0])
    return Listing("\n\n".join(found))
