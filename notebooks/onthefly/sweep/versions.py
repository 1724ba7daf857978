"""The versions that are asked for, and an environment for each: uv.

An environment has the versions that are installed here, with one library
changed, and whatever that forces; it holds only what the functions need.
"""

import importlib.metadata
import re

from packaging.version import InvalidVersion, Version

from onthefly import files
from onthefly.errors import UserError
from onthefly.tools.uv import WHEELS, Impossible, uv

PYTHON = "python"  # in the place of a library: the interpreters found here
HINT = "write FROM:TO, such as 0.58:0.68, or a list, such as 0.60,0.61.2"


def asked(text):
    """Return the versions that a text asks for, oldest first.

    FROM:TO names the minor versions between two, both included.  Raises
    UserError for fewer than two versions, or what is none.
    """
    try:
        if ":" not in text:
            names = sorted({n.strip() for n in text.split(",")}, key=Version)
        else:
            (major, low), (same, high) = (
                Version(end).release for end in text.split(":")
            )
            minors = range(low, high + 1) if major == same else ()
            names = [f"{major}.{minor}" for minor in minors]
    except (InvalidVersion, ValueError):
        raise UserError(f"versions {text!r}: {HINT}") from None
    if len(names) < 2:
        raise UserError(
            f"versions {text!r}: fewer than two of one major version; {HINT}"
        )
    return names


def of_python(names, interpreters):
    """Return {version: path of an interpreter, or None where there is none}.

    names         versions that are asked for
    interpreters  as `tools.interpreters.find` returns them

    Of a version it is the newest patch; a free-threaded build, whose version
    ends with t, is one of its own.
    """
    paths = {}
    for name in names:
        newest = {
            facts["free_threaded"]: facts
            for facts in interpreters
            if f"{facts['version']}.".startswith(f"{name}.")
        }
        paths |= {
            facts["version"] + "t" * free: facts["path"]
            for free, facts in sorted(newest.items())
        } or {name: None}
    return paths


def python_of(library, version, python, needs, folder, packages):
    """Return the path of the Python that has a version, and what is needed.

    library   a distribution, or PYTHON
    version   that was asked for
    python    path of the interpreter, or None
    needs     distributions; each takes the version that is here, if it can
    folder    of the environments
    packages  {distribution: version} of its environment; where it is empty,
              it is filled with what uv resolves

    Raises Impossible where there is no such interpreter, or where uv
    resolves or installs no such thing.
    """
    if python is None:
        raise Impossible(
            "no such interpreter here; repair: name one in the variable "
            "ONTHEFLY_PYTHONS"
        )
    if library != PYTHON:
        needs = needs - {library} | {_requirement(library, version)}
    if not needs:
        return python
    place = folder / f"{library}-{version}"
    inside, pins = place / "bin" / "python", place / "requirements.txt"
    uv("venv", "--python", python, "--allow-existing", place)
    if not packages:
        packages |= _resolved(place, inside, needs)
    lines = (f"{name}=={number}\n" for name, number in packages.items())
    files.write(pins, "".join(lines))
    uv("pip", "sync", "--python", inside, *WHEELS,
        "--link-mode", "hardlink", pins)  # fmt: skip
    return str(inside)


def _requirement(library, version):
    """Return the requirement of a version: 0.60 is its newest patch."""
    short = len(Version(version).release) <= 2
    return f"{library}=={version}.*" if short else f"{library}=={version}"


def _here():
    """Return a line for each distribution that is installed here, sorted."""
    every = importlib.metadata.distributions()
    pairs = {one.metadata["Name"]: one.version for one in every}
    pairs.pop(None, None)
    return [f"{name}=={version}\n" for name, version in sorted(pairs.items())]


def _resolved(place, python, needs):
    """Return {distribution: version} of what requirements resolve to."""
    wanted, resolved = place / "wanted.txt", place / "resolved.txt"
    files.write(wanted, "\n".join(sorted(needs)))
    # uv keeps the versions that it finds in the file that it writes.
    files.write(resolved, "".join(_here()))
    uv("pip", "compile", wanted, "-o", resolved, *WHEELS,
        "--python", python, "--no-header", "--no-annotate")  # fmt: skip
    pinned = r"^([\w.-]+)==([^\s;]+)"
    return dict(re.findall(pinned, files.text(resolved), re.M))
