"""What must be the same on every machine of a cluster, and what differs."""

import platform
import sys

import distributed

from commandline import ROOT
from onthefly.provenance import file_hash
from running import key

# Folders of scripts/ that run a chapter.
RUNNING = ("commandline", "reading", "running", "spreading")


def of(sources):
    """Return {part: {name: hash or version}} of this machine's checkout.

    sources  key.Sources; the lab may lie elsewhere for the client alone
    """
    scripts = {
        path.relative_to(ROOT).as_posix(): file_hash(path)
        for folder in RUNNING
        for path in sorted((ROOT / "scripts" / folder).glob("*.py"))
    }
    versions = {
        platform.python_implementation(): sys.version,
        "distributed": distributed.__version__,
    }
    return sources.everything() | {"scripts": scripts, "versions": versions}


def differences(mine, theirs):
    """Return words for each part that differs between two results of `of`."""
    parts = mine.keys() - {"versions"}
    old, new = ({k: x[k] for k in sorted(parts)} for x in (mine, theirs))
    found = key.changes(old, new)
    old, new = mine["versions"], theirs["versions"]
    for name in old | new:
        was, now = old.get(name, "missing"), new.get(name, "missing")
        if was != now:
            was, now = _shortest(was, now)
            found.append(f"{name} {now} there and {was} here")
    return found


def _shortest(*versions):
    """Return versions by their first words, where these differ."""
    short = [version.partition(" ")[0] for version in versions]
    return versions if len(set(short)) == 1 else short
