"""The versions that are asked for, and an environment for each: uv.

An environment has the versions of the lock file, with one library changed,
and whatever that forces; it holds only what the kernels need.
"""

import hashlib
import json
import os
import re
import shutil

from packaging.version import InvalidVersion, Version

from commandline import ROOT
from commandline.uv import WHEELS, uv
from onthefly import files
from onthefly.errors import UserError

PYTHON = "python"  # in the place of a library: the interpreters found here
LOCK = ROOT / "requirements.lock"
COMPLETE = "complete.json"  # stands in an environment that is ready
HINT = "write FROM:TO, as 0.58:0.68, or a list, as 0.60,0.61.2"


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


def requirement(library, version):
    """Return the requirement of a version: 0.60 is its newest patch."""
    short = len(Version(version).release) <= 2
    return f"{library}=={version}.*" if short else f"{library}=={version}"


def of_python(names, interpreters):
    """Return {version: path of an interpreter, or None where there is none}.

    names         versions that are asked for
    interpreters  as `tools.interpreters.find` returns them

    Of a version it is the newest patch; a free-threaded build, whose version
    ends with t, is one of its own.
    """
    paths = {}
    for name in names:
        numbers = Version(name).release
        newest = {
            facts["free_threaded"]: facts
            for facts in interpreters
            if Version(facts["version"]).release[: len(numbers)] == numbers
        }
        paths |= {
            facts["version"] + "t" * free: facts["path"]
            for free, facts in sorted(newest.items())
        } or {name: None}
    return paths


def environment(folder, name, python, needs, tell=print):
    """Return (path of an environment's Python, {distribution: version}).

    folder  where all of them lie
    name    begins the name of its folder there
    python  path of the interpreter that it is made from
    needs   requirements; a name alone takes the lock's version where it can
    tell    function that is given a line where one is made

    It is made now, or was before.  Raises Impossible where uv resolves or
    installs no such thing.
    """
    pins, wanted = files.text(LOCK), "\n".join(sorted(needs)) + "\n"
    state = json.dumps([wanted, pins, os.path.realpath(python)])
    key = hashlib.sha256(state.encode()).hexdigest()[:8]
    place = folder / f"{name}-{key}"
    complete, inside = place / COMPLETE, place / "bin" / "python"
    if not complete.exists():
        tell(f"{name}: making its environment")
        shutil.rmtree(place, ignore_errors=True)  # what was stopped
        packages = _make(place, inside, python, wanted, pins)
        files.write(complete, json.dumps(packages))
    return str(inside), files.json_data(complete)


def _make(place, inside, python, wanted, pins):
    """Make an environment; return {distribution: version}."""
    files.write(place / "wanted.txt", wanted)
    # uv keeps the versions that it finds in the file that it writes.
    resolved = place / "requirements.txt"
    files.write(resolved, pins)
    uv("pip", "compile", place / "wanted.txt", "-o", resolved, *WHEELS,
        "--python", python, "--no-header", "--no-annotate")  # fmt: skip
    uv("venv", "--python", python, "--allow-existing", place)
    uv("pip", "install", "--python", inside, *WHEELS, "--no-deps",
        "--link-mode", "hardlink", "-r", resolved)  # fmt: skip
    pinned = r"^([\w.-]+)==([^\s;]+)"
    return dict(re.findall(pinned, files.text(resolved), re.M))
