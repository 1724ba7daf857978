#!/usr/bin/env python3
"""Carry the book's libraries to a machine without a network.

    python scripts/wheelhouse.py fetch [--extra gpu] [--to DIR]     here
    python scripts/wheelhouse.py install DIR [--venv .venv]         there

`fetch` fills DIR with the wheels of one extra of pyproject.toml, and lists
them with their hashes in DIR/requirements.txt.  `install` checks that all of
them are there and unchanged, then makes the environment from them alone.
Both need the same version of Python, and no package but pip.

Where no environment is made yet, PYTHONPATH=notebooks comes before it.

Exit code 0: done; 2: refused, and nothing was left half-way.
"""

import argparse
import hashlib
import os
import pathlib
import platform
import re
import shutil
import sys
import tomllib

from commandline import ROOT, Parser, command, shown
from commandline.programs import run
from onthefly.refused import Refused

LIST = "requirements.txt"
LOCK = "requirements.lock"
LINE = re.compile(r"^([\w.-]+)==(\S+) --hash=sha256:(\w+)  # (\S+)$", re.M)


def requirements(root, *extras):
    """Return what pyproject.toml asks for, with these extras.

    An extra that names others of the project stands for theirs.  Raises
    Refused for an extra that is not there.
    """
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    groups = project.get("optional-dependencies", {})
    found = list(project.get("dependencies", []))
    extras = list(extras)
    for extra in extras:  # grows while it is read
        if extra not in groups:
            known = ", ".join(groups)
            raise Refused(f"--extra {extra}: there is none; one of {known}")
        for line in groups[extra]:
            own = re.fullmatch(rf"{project['name']}\[(.+)\]", line)
            if own:
                extras += [name.strip() for name in own[1].split(",")]
            else:
                found.append(line)
    return found


def lock(root, extra):
    """Return the path of the versions that were tested with an extra."""
    own = root / f"requirements-{extra}.lock"
    return own if own.exists() else root / LOCK


def here():
    """Return what wheels depend on: Python's version and the machine."""
    return (
        f"Python {sys.version_info[0]}.{sys.version_info[1]}, "
        f"{platform.system()} {platform.machine()}"
    )


def call(*command, env=None):
    """Run a program; raises Refused with its last line of complaint."""
    done = run(
        command, env=env or dict(os.environ), capture_output=True, text=True
    )
    if done.returncode:
        every = done.stderr.splitlines() or [f"{command[0]} failed"]
        raise Refused(([x for x in every if "ERROR" in x] or every)[-1])


def pip(python, *arguments, env=None):
    """Run pip, as `call` does."""
    call(python, "-m", "pip", "--disable-pip-version-check", *arguments,
         env=env)  # fmt: skip


def digest(path):
    """Return the SHA-256 of a file in hex."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def listed(folder):
    """Return the text of the list of the wheels in a folder."""
    lines = [f"# {here()}"]
    for path in sorted(folder.glob("*.whl")):
        name, version = path.name.split("-")[:2]
        hash_ = digest(path)
        lines.append(
            f"{name}=={version} --hash=sha256:{hash_}  # {path.name}"
        )
    return "\n".join(lines) + "\n"


def fetch(extra, folder, root):
    """Fill `folder` with the wheels of an extra; return their number.

    Raises Refused, and leaves no folder, where pip cannot get one of them,
    or gets the build of another kind of machine.
    """
    if folder.exists():
        raise Refused(f"{folder}: is there; repair: remove it, or --to")
    asked = requirements(root, extra, "test")
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        # setuptools, because some libraries look for it at run time.
        pip(sys.executable, "download", "--quiet", "--only-binary", ":all:",
            "--dest", part, "-c", lock(root, extra), "setuptools",
            *asked)  # fmt: skip
        cpu = [p.name for p in part.glob("*+cpu-*.whl")]
        if extra.startswith("gpu") and cpu:
            raise Refused(
                f"{', '.join(cpu)}: a build without CUDA, from an index that "
                "pip's settings name; repair: PIP_CONFIG_FILE=/dev/null "
                "before the command"
            )
        (part / LIST).write_text(listed(part), encoding="utf-8")
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return len(list(folder.glob("*.whl")))


def check(folder):
    """Raise Refused unless `folder` is whole and made for this Python."""
    try:
        text = (folder / LIST).read_text(encoding="utf-8")
    except OSError as error:
        raise Refused(
            f"{folder / LIST}: {error.strerror}; repair: name a folder that "
            "`wheelhouse.py fetch` made"
        ) from None
    made = text.splitlines()[0].removeprefix("# ")
    if made != here():
        raise Refused(
            f"{folder}: made for {made}, this is {here()}; repair: run both "
            "commands with one version of Python"
        )
    wrong = []
    for _, _, hash_, name in LINE.findall(text):
        path = folder / name
        if not path.is_file():
            wrong.append(f"{path}: missing; repair: copy the folder anew")
        elif digest(path) != hash_:
            wrong.append(f"{path}: damaged; repair: copy the folder anew")
    if wrong:
        raise Refused("\n".join(wrong))


def install(folder, venv, root):
    """Make the environment `venv` from the wheels in `folder` alone.

    Raises Refused, and leaves no environment, where that fails.
    """
    check(folder)
    if venv.exists():
        raise Refused(f"{venv}: is there; repair: remove it, or --venv")
    try:
        call(sys.executable, "-m", "venv", venv)
        python = venv / "bin" / "python"
        # From the folder alone: pip's settings may name another source.
        own = {k: v for k, v in os.environ.items() if k[:4] != "PIP_"}
        pip(python, "install", "--quiet", "--no-index", "--find-links",
            folder, "--no-deps", "--require-hashes", "-r",
            folder / LIST,
            env=own | {"PIP_CONFIG_FILE": os.devnull})  # fmt: skip
        # The lab, as an editable install would make it known.
        (packages,) = venv.glob("lib/python*/site-packages")
        (packages / "onthefly.pth").write_text(f"{root / 'notebooks'}\n")
        (venv / ".installed").touch()  # the Makefile's mark: it is finished
    except BaseException:
        shutil.rmtree(venv, ignore_errors=True)
        raise


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    add = parser.add_subparsers(dest="command", required=True).add_parser
    said = "fill a folder with wheels, with a network"
    get = add("fetch", text=said, help=said)
    get.add_argument("--extra", default="gpu", help="default: gpu")
    get.add_argument("--to", type=pathlib.Path, metavar="DIR",
                     help="default: _build/wheelhouse-EXTRA")  # fmt: skip
    said = "make an environment from it, without one"
    put = add("install", text=said, help=said)
    put.add_argument("folder", type=pathlib.Path, metavar="DIR")
    put.add_argument("--venv", type=pathlib.Path, default=ROOT / ".venv",
                     metavar="DIR", help="default: .venv")  # fmt: skip
    for each in (get, put):
        each.add_argument("--root", type=pathlib.Path, default=ROOT,
                          help=argparse.SUPPRESS)  # fmt: skip
    return parser.parse_args(argv)


@command
def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    root = options.root.resolve()
    if options.command == "fetch":
        folder = options.to or root / f"_build/wheelhouse-{options.extra}"
        count = fetch(options.extra, folder.resolve(), root)
        print(f"wheelhouse: {count} wheels in {shown(folder)}")
    else:
        install(options.folder.resolve(), options.venv.absolute(), root)
        print(f"wheelhouse: made {shown(options.venv)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
