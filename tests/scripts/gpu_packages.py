"""What pip knows of the GPU extras' packages, without downloading them.

They are several gigabytes.  So the names, versions and requirements that the
package index gives are kept in gpu_packages.json, and pip resolves empty
wheels that say the same.

    PYTHONPATH=notebooks:scripts python tests/scripts/gpu_packages.py

asks the index anew.  An old pip downloads what it resolves, and throws it
away.
"""

import json
import sys
import zipfile
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import lock
import wheelhouse
from commandline import ROOT

KEPT = Path(__file__).with_suffix(".json")
EXTRAS = ("gpu", "gpu-cuda13")
LINUX = {"platform_machine": "x86_64", "platform_system": "Linux",
         "sys_platform": "linux", "os_name": "posix"}  # fmt: skip


def requirements(extra):
    """Return what an extra adds to the book's requirements."""
    common = wheelhouse.requirements(ROOT)
    every = wheelhouse.requirements(ROOT, extra)
    return [text for text in every if text not in common]


def resolve(extra, *options):
    """Let pip resolve an extra under its lock; return (report, process)."""
    return lock.resolve(
        requirements(extra), wheelhouse.lock(ROOT, extra), *options
    )


def _needs(metadata):
    """Return {extra, "" for none: requirements} as they are on Linux."""
    found = {}
    for text in metadata.get("requires_dist", []):
        asked = Requirement(text)
        for extra in ("", *metadata.get("provides_extra", [])):
            marker = asked.marker
            if not marker or marker.evaluate({**LINUX, "extra": extra}):
                asked.marker = None
                found.setdefault(extra, []).append(str(asked))
                break
    return found


def ask():
    """Ask the package index and write what it says."""
    kept = {}
    for extra in EXTRAS:
        found, done = resolve(extra)
        if done.returncode:
            sys.exit(done.stderr)
        for m in found:
            name = canonicalize_name(m["name"])
            kept[f"{name}=={m['version']}"] = _needs(m)
    KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


def wheels(folder):
    """Write an empty wheel for each package that is kept."""
    for pinned, needs in json.loads(KEPT.read_text()).items():
        empty_wheel(folder, *pinned.split("=="), needs)


def empty_wheel(folder, name, version, needs=()):
    """Write a wheel that holds nothing; `needs` is {extra: requirements}."""
    stem = f"{name.replace('-', '_')}-{version}"
    about = f"{stem}.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    for extra, texts in dict(needs).items():
        only = f'; extra == "{extra}"' if extra else ""
        lines += [f"Provides-Extra: {extra}"] * bool(extra)
        lines += [f"Requires-Dist: {text}{only}" for text in texts]
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{about}/METADATA", "\n".join(lines) + "\n")
        wheel.writestr(
            f"{about}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: tests\n"
            "Root-Is-Purelib: true\nTag: py3-none-any\n",
        )
        files = "".join(f"{about}/{n},,\n" for n in ("METADATA", "WHEEL"))
        wheel.writestr(f"{about}/RECORD", f"{files}{about}/RECORD,,\n")


if __name__ == "__main__":
    ask()
