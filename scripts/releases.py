#!/usr/bin/env python3
"""Look up the releases of the toolkits of 2017: book/history/releases.json.

    python scripts/releases.py

Asks the package index on which day each release came, and looks what
TensorFlow's wheels of 2017 hold.  It needs a network.

Exit code 0: written; 2: no answer, and nothing was written.
"""

import contextlib
import datetime
import http.client
import json
import re
import sys
import tempfile
import urllib.request
import zipfile
from pathlib import Path

from packaging.version import InvalidVersion, Version

from commandline import Parser, command
from onthefly import files
from onthefly.errors import UserError
from onthefly.experiments.history import releases
from onthefly.tools.programs import run

TALK = "2017-11-12"
JSON = "application/vnd.pypi.simple.v1+json"  # PEP 691


def dated(listing):
    """Return {Version: the day of its first file}, without pre-releases.

    listing  what the index says of a package (PEP 691 and 700)
    """
    days = {}
    for file in listing["files"]:
        name = file["filename"]
        wheel = name.endswith(".whl")
        # A source's name may hold hyphens, a version none.
        word = name.split("-")[1] if wheel else name.rpartition("-")[2]
        with contextlib.suppress(InvalidVersion):
            version = Version(re.sub(r"\.(tar\..*|zip|tgz|whl)$", "", word))
            day = file["upload-time"][:10]
            if not version.is_prerelease:
                days[version] = min(day, days.get(version, day))
    return days


def where_pip_looks():
    """Return the address of the index that pip asks by default."""
    # Late: pip's import takes distutils from setuptools, in this process.
    from pip._internal.models import index

    return index.PyPI.simple_url


def look_up(package, index):
    """Return what a package index has of a package, JSON-ready.

    index  its address
    """
    request = urllib.request.Request(
        f"{index}/{package}/", headers={"Accept": JSON}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            days = dated(json.load(answer))
    except (OSError, http.client.HTTPException) as error:
        raise UserError(
            f"{package}: no answer of the package index ({error}); try again "
            "where there is a network"
        ) from None
    except (ValueError, LookupError, TypeError):  # a proxy's page, say
        days = {}
    if not days:
        raise UserError(
            f"{package}: the package index lists no release with its day; "
            "see what answers in its place"
        )
    then = [version for version, day in days.items() if day <= TALK]
    return {
        "package": package,
        "then": str(max(then)) if then else None,
        "now": str(max(days)),
        "first": min(days.values()),
        "last": max(days.values()),
    }


def contents(version):
    """Return which of `releases.PARTS` a wheel of TensorFlow holds."""
    with tempfile.TemporaryDirectory() as folder:
        done = run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
             "--only-binary", ":all:", "--python-version", "3.6",
             "--platform", "manylinux1_x86_64", "--dest", folder,
             f"tensorflow=={version}"],
            capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            words = " ".join(done.stderr.split())[-200:]
            raise UserError(f"tensorflow {version}: no wheel ({words})")
        (wheel,) = Path(folder).iterdir()
        held = zipfile.ZipFile(wheel).namelist()
    return [
        part
        for part, place in releases.PARTS.items()
        if any(name.endswith(f"tensorflow/{place}/__init__.py")
               for name in held)
    ]  # fmt: skip


@command
def main(argv=None):
    """Run the command; return its exit code."""
    Parser(__doc__, whole=True).parse_args(argv)
    index = where_pip_looks()
    listed = {n: look_up(p, index) for n, p in releases.PACKAGES.items()}
    wheels = {version: contents(version) for version in releases.WHEELS}
    data = {
        "talk": TALK,
        "looked": str(datetime.date.today()),
        "releases": listed,
        "wheels": wheels,
    }
    files.write(releases.RECORDED, json.dumps(data, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
