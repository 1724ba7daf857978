"""Worked programs in Rust: a crate that Python imports, built by PyO3.

Nothing is downloaded: cargo takes the crate pyo3 from its own cache, or from
the folder that ONTHEFLY_CRATES names, as that of Debian's package
librust-pyo3-dev.
"""

import functools
import os
import pathlib
import shutil
import subprocess
import sys
import time

from onthefly import folders
from onthefly.kernels import ahead_child
from onthefly.measure import libraries
from onthefly.programs import building
from onthefly.tools import programs

PROGRAMS = folders.PACKAGE / "programs"
LIMIT = 300  # seconds that a build may take


def cargo():
    """Return the path of cargo, as text, or None.

    Looks in PATH, and where rustup puts it.
    """
    home = os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo")
    return shutil.which("cargo") or shutil.which(
        "cargo", path=os.path.join(home, "bin")
    )


def crates():
    """Return cargo's options for the folder of crates that is named."""
    folder = os.environ.get("ONTHEFLY_CRATES")
    if not folder:
        return []
    return [
        *("--config", 'source.crates-io.replace-with="here"'),
        *("--config", f'source.here.directory="{folder}"'),
    ]


def build(crate, folder):
    """Build a crate in a folder; return (seconds, path of the extension).

    crate  its folder's path within the folder of programs; its library is
           what cargo makes of it

    The crates that it needs are built as well.  Raises libraries.Missing for
    want of cargo, or of the crate pyo3.
    """
    if not cargo():
        raise libraries.Missing("cargo, the builder of Rust,")
    place = pathlib.Path(folder, "crate")
    shutil.copytree(PROGRAMS / crate, place)
    command = [cargo(), "build", "--release", "--offline", *crates()]
    variables = {"PYO3_PYTHON": sys.executable, "CARGO_TARGET_DIR": folder}
    start = time.perf_counter()
    end = programs.run(
        command,
        limit=LIMIT,
        cwd=str(place),
        capture_output=True,
        text=True,
        env=dict(os.environ) | variables,
    )
    seconds = time.perf_counter() - start
    if end.returncode and "pyo3" in end.stderr and "offline" in end.stderr:
        raise libraries.Missing("pyo3, a crate of Rust,")
    end.check_returncode()
    (library,) = pathlib.Path(folder, "release").glob("lib*.*[oy]*")
    return seconds, str(library)


@functools.cache
def extension(name, crate):
    """Return (path, seconds) of a crate's extension, and of its build.

    name  the module's
    crate, and what is raised, as of `build`
    """
    texts = sorted(p for p in (PROGRAMS / crate).rglob("*") if p.is_file())
    parts = *(path.read_text() for path in texts), _compiler()
    return building.kept("rust", name, parts, functools.partial(build, crate))


@functools.cache
def module(name, crate):
    """Return a crate's module, as of `extension`."""
    path, _ = extension(name, crate)
    return ahead_child.loaded(name, path)


def _compiler():
    """Return what cargo says of itself, or ""."""
    if not cargo():
        return ""
    command = [cargo(), "--version"]
    return subprocess.run(command, capture_output=True, text=True).stdout
