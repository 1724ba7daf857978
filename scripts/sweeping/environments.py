"""An environment a version: the lock's versions, with one of them changed.

uv makes them.  They lie in a folder of generated files, share their files
with uv's cache, and hold only what the kernels need.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

from commandline import ROOT, programs
from onthefly import files

LOCK = ROOT / "requirements.lock"
UV = [sys.executable, "-m", "uv"]
# Its own interpreters are not what was asked for; colours are for terminals.
QUIET = {"UV_PYTHON_DOWNLOADS": "never", "NO_COLOR": "1"}
COMPLETE = "complete.json"  # stands in an environment that is ready
LONGEST = 200  # letters of a reason


class Impossible(Exception):
    """Why there is no such environment, in one line."""


@dataclass(frozen=True)
class Environment:
    """An interpreter and what is installed for it.

    python    its path
    packages  {distribution: version}
    """

    python: str
    packages: dict[str, str]


def make(folder, name, python, needs, tell=print, lock=LOCK):
    """Return an Environment, made now or before.

    folder  where all of them lie
    name    begins the name of its folder there
    python  path of an interpreter
    needs   requirements; a name alone takes the lock's version where it can
    tell    function that is given a line where one is made
    lock    path of the file whose versions are kept

    Raises Impossible where uv resolves or installs no such thing.
    """
    pins = files.text(lock)
    asked = "\n".join(sorted(needs)) + "\n"
    state = json.dumps([asked, pins, os.path.realpath(python)])
    key = hashlib.sha256(state.encode()).hexdigest()[:8]
    place = folder / f"{name}-{key}"
    complete, inside = place / COMPLETE, str(place / "bin" / "python")
    if complete.exists():
        return Environment(inside, files.json_data(complete))
    tell(f"{name}: making its environment")
    shutil.rmtree(place, ignore_errors=True)  # what was stopped on its way
    files.write(place / "asked.txt", asked)
    # uv keeps the versions that it finds in the file that it writes.
    resolved = place / "requirements.txt"
    files.write(resolved, pins)
    wheels = ["--only-binary", ":all:"]
    _uv("pip", "compile", place / "asked.txt", "-o", resolved, *wheels,
        "--python", python, "--no-header", "--no-annotate")  # fmt: skip
    _uv("venv", "--python", python, "--allow-existing", place)
    _uv("pip", "install", "--python", inside, *wheels, "--no-deps",
        "--link-mode", "hardlink", "-r", resolved)  # fmt: skip
    lines = re.findall(r"^([\w.-]+)==(\S+)", files.text(resolved), re.M)
    files.write(complete, json.dumps(dict(lines)))
    return Environment(inside, dict(lines))


def _uv(*arguments):
    """Run uv; raise Impossible with what it says."""
    done = programs.run(
        [*UV, *arguments, "--quiet"],
        env=os.environ | QUIET,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise Impossible(reason(done.stderr))


def reason(said):
    """Return what uv said, in a line: the cause where it names one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    causes = [x for x in lines if x.startswith(("cause:", "Caused by:"))]
    found = (causes or lines or ["uv failed"])[-1 if causes else 0]
    text = re.sub(r"^(cause|Caused by|error): *", "", found)
    text = text.split(", we can conclude")[0]
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
