#!/usr/bin/env python3
"""Write requirements-gpu.lock: the exact versions of the extra gpu.

    python scripts/lock.py

pip resolves the book's requirements with the extras gpu and test.  What
requirements.lock names keeps its version, except where the extra names
another one itself.  A new pip downloads descriptions only, an old one all.

Exit code 0: written; 2: it does not resolve, and nothing was written.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path

import wheelhouse
from commandline import ROOT, Parser, command
from commandline.programs import run
from onthefly import files
from onthefly.refused import Refused

EXTRA = "gpu"
# Not the builds that pip's own settings may name, but the usual ones.
USUAL = {"PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "",
         "PIP_EXTRA_INDEX_URL": ""}  # fmt: skip


def canonical(name):
    """Return a package's name as pip compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(path):
    """Return {package: version} of a lock file."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^([\w.-]+)==(\S+)$", text, re.M)
    return {canonical(name): version for name, version in found}


def kept(root, extra):
    """Return the lines of requirements.lock that hold for an extra, too."""
    named = {
        canonical(re.match(r"[\w.-]+", text)[0])
        for text in wheelhouse.requirements(root, extra)
        if "==" in text
    }
    locked = pins(root / wheelhouse.LOCK)
    return [f"{n}=={v}" for n, v in locked.items() if n not in named]


def resolve(asked, constraints, *options):
    """Let pip resolve requirements; return (metadata, process).

    asked        requirement strings
    constraints  path of a file that holds versions to keep to
    options      more options of `pip install`

    The metadata are dicts, one a package, none where pip fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        done = run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run",
             "--ignore-installed", "--only-binary", ":all:", "--report",
             report, "-c", constraints, *options, *asked],
            env=os.environ | USUAL,
            capture_output=True,
            text=True,
        )  # fmt: skip
        text = report.read_text() if report.exists() else '{"install": []}'
    return [i["metadata"] for i in json.loads(text)["install"]], done


def write(root, *options):
    """Write the lock file of the extra; raises Refused with pip's words."""
    path = root / f"requirements-{EXTRA}.lock"
    old = path.read_text(encoding="utf-8").splitlines()
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraints:
        constraints.write("\n".join(kept(root, EXTRA)))
        constraints.flush()
        asked = wheelhouse.requirements(root, EXTRA, "test")
        found, done = resolve(asked, constraints.name, *options)
    if done.returncode:
        raise Refused(done.stderr.strip())
    lines = [line for line in old if line.startswith("#")]
    found.sort(key=lambda m: m["name"].lower())
    lines += [f"{m['name']}=={m['version']}" for m in found]
    files.write(path, "\n".join(lines) + "\n")


@command
def main(argv=None):
    """Run the command; return its exit code."""
    Parser(__doc__, whole=True).parse_args(argv)
    write(ROOT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
