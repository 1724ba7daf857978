"""The versions that a sweep is asked for."""

import re
import subprocess
import sys
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

from commandline import programs
from onthefly.refused import Refused

PYTHON = "python"  # in the place of a library: the interpreters found here
MINOR = 2  # numbers of a version that name a minor one, as 0.60
HINT = "write FROM:TO, as 0.58:0.68, or a list, as 0.60,0.61.2"


@dataclass(frozen=True)
class Range:
    """The minor versions from `first` to `last`, both included.

    Each is a tuple of numbers; an empty one sets no bound.
    """

    first: tuple[int, ...]
    last: tuple[int, ...]

    def has(self, version):
        """Tell whether a Version lies in it; 0.60.1 lies in 0.58:0.60."""
        numbers = version.release
        low = numbers[: len(self.first)] >= self.first
        return low and numbers[: len(self.last)] <= self.last


def asked(text):
    """Return the Range that a text asks for, or the list of its versions.

    Raises Refused for what is neither.
    """
    try:
        if ":" not in text:
            named = [part.strip() for part in text.split(",")]
            if len({*map(Version, named)}) < 2:
                raise Refused(f"versions {text!r}: one is no sweep; {HINT}")
            return sorted(dict.fromkeys(named), key=Version)
        first, last = (
            Version(end).release if end.strip() else ()
            for end in text.split(":")
        )
    except (InvalidVersion, ValueError):
        raise Refused(f"versions {text!r}: {HINT}") from None
    if first and last and first[: len(last)] > last:
        raise Refused(f"versions {text!r}: nothing lies between; {HINT}")
    return Range(first, last)


def newest_of_minors(versions):
    """Return the newest patch of each minor version, oldest first.

    versions  texts; what is no final release does not count
    """
    found = {}
    for version in sorted(map(Version, versions)):
        if not version.is_prerelease:
            found[version.release[:MINOR]] = version
    return [str(version) for version in found.values()]


def of_library(name, wanted):
    """Return the versions of a library that are meant, oldest first.

    name    the distribution's
    wanted  as `asked` returns it

    For a range pip asks its index, also for what this Python cannot have.
    Raises Refused where it gives no answer, or none lies in the range.
    """
    if not isinstance(wanted, Range):
        return wanted
    lines = _told(name)
    every = re.search(r"^Available versions: (.*)$", lines, re.M)
    found = [v for v in every[1].split(", ") if wanted.has(Version(v))]
    if len(minors := newest_of_minors(found)) < 2:
        there = ", ".join(newest_of_minors(every[1].split(", "))[-8:])
        raise Refused(
            f"{name}: fewer than two minor versions lie in that range; the "
            f"index has {there}"
        )
    return minors


def _told(name):
    """Return what pip's index says of a distribution."""
    command = [sys.executable, "-m", "pip", "index", "versions", name]
    command += ["--ignore-requires-python", "--disable-pip-version-check"]
    done = programs.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    if done.returncode or "Available versions:" not in done.stdout:
        said = [x for x in done.stderr.splitlines() if "ERROR" in x]
        why = said[-1].removeprefix("ERROR: ") if said else "no answer"
        raise Refused(
            f"{name}: pip's index lists no versions ({why}); repair: the "
            "name, or the network, or list the versions yourself, as "
            "0.60,0.61.2"
        )
    return done.stdout


def requirement(name, version):
    """Return the requirement of a version: 0.60 is its newest patch."""
    short = len(Version(version).release) <= MINOR
    return f"{name}=={version}.*" if short else f"{name}=={version}"


def of_python(wanted, found):
    """Return {version: an interpreter's facts, or None where there is none}.

    wanted  as `asked` returns it
    found   interpreters, as `interpreters.find` returns them

    Of a minor version it is the newest patch; a free-threaded build, whose
    version ends with t, is one of its own.
    """
    here = {}
    for facts in found:
        version = Version(facts["version"])
        kind = (version.release[:MINOR], facts["free_threaded"])
        if _wants(wanted, version):
            here[kind] = facts
    named = {
        f["version"] + "t" * f["free_threaded"]: f
        for _, f in sorted(here.items(), key=lambda item: item[0])
    }
    minors = {minor for minor, _ in here}
    for text in _missing(wanted, minors):
        named[text] = None
    order = sorted(named, key=lambda text: Version(text.rstrip("t")))
    return {text: named[text] for text in order}


def _wants(wanted, version):
    if isinstance(wanted, Range):
        return wanted.has(version)
    releases = [Version(text).release for text in wanted]
    return any(version.release[: len(r)] == r for r in releases)


def _missing(wanted, minors):
    """Return the versions that are asked for and not here."""
    if isinstance(wanted, Range):
        low, high = wanted.first[:MINOR], wanted.last[:MINOR]
        if len(low) < MINOR or len(high) < MINOR or low[0] != high[0]:
            return []
        every = [(low[0], minor) for minor in range(low[1], high[1] + 1)]
    else:
        every = [Version(text).release for text in wanted]
    return [
        ".".join(map(str, numbers))
        for numbers in every
        if numbers[:MINOR] not in minors
    ]
