"""C++ for the processor, compiled and loaded while a chapter runs."""

import contextlib
import pathlib
import subprocess
import tempfile

from onthefly.tools.devices import cpp_compiler


@contextlib.contextmanager
def built(text, flags):
    """Compile C++ into a shared library; give its path.

    text   the source
    flags  more options of the compiler, a list

    Load it within the block: afterwards the file is gone, what was loaded
    stays.  Raises CalledProcessError where the compiler refuses it.
    """
    with tempfile.TemporaryDirectory(prefix="onthefly") as folder:
        source = pathlib.Path(folder) / "kernel.cpp"
        library = source.with_suffix(".so")
        source.write_text(text)
        subprocess.run(
            [cpp_compiler(), *flags, "-shared", "-fPIC", source,
             "-o", library],
            check=True,
            capture_output=True,
        )  # fmt: skip
        yield str(library)
