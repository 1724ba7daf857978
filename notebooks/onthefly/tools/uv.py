"""uv, which resolves versions and makes environments."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys

from onthefly.errors import UserError
from onthefly.tools import programs

# Its own interpreters are not what was asked for; colours are for terminals.
SETTINGS = {"UV_PYTHON_DOWNLOADS": "never", "NO_COLOR": "1"}
WHEELS = ("--only-binary", ":all:")
LONGEST = 200  # letters of a reason


class Impossible(Exception):
    """Why uv resolves or installs no such thing, in one line."""


def command():
    """Return how uv is called; raises UserError where it is not here."""
    if importlib.util.find_spec("uv"):
        return [sys.executable, "-m", "uv"]
    if path := shutil.which("uv"):
        return [path]
    raise UserError(
        "uv is missing, which makes the environments; repair: "
        "pip install 'onthefly[sweep]'"
    )


def uv(*arguments, quiet=True, **settings):
    """Run uv; return what it prints.

    quiet     whether it may leave out what it does; `python install` then
              leaves out its reason as well
    settings  variables of its environment, beside SETTINGS

    It ends with this process, however that ends.  Raises Impossible, and
    UserError where there is no uv.
    """
    done = programs.run(
        [*command(), *arguments, *["--quiet"] * quiet],
        env=os.environ | SETTINGS | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise Impossible(reason(done.stderr))
    return done.stdout


def reason(message):
    """Return what uv said, in a line: the cause where it names one."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    causes = [x for x in lines if x.startswith(("cause:", "Caused by:"))]
    line = causes[-1] if causes else (lines or ["uv failed"])[0]
    line = re.sub(r"^(cause|Caused by|error): *", "", line)
    line = line.split(", we can conclude")[0]
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
