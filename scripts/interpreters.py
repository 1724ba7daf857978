"""Get the interpreters that the book's pages compare.

    python scripts/interpreters.py
    python scripts/interpreters.py --source ARCHIVE [--guided]

Without options it asks uv for those that this machine lacks, and makes the
environment of free-threaded libraries.  With --source it builds CPython from
its source, once with the GIL and once without, and otherwise alike; both go
where pyenv keeps its own, and one that is there stays.  What cannot be had is
named: the pages then tell what another machine recorded.
"""

import hashlib
import json
import os
import pathlib
import re
import sys
import sysconfig
import tarfile
import time

from commandline import ROOT, Parser, command, scratch
from commandline.programs import run
from commandline.uv import Impossible, uv
from onthefly import files, machine
from onthefly.errors import UserError
from onthefly.experiments.interpreters import compilers, library_trials
from onthefly.tools import interpreters

# {what uv calls it: what the book loses without}
WANTED = {
    "3.14": "the newest CPython",
    "3.14t": "Numba without the GIL",
    "3.13t": "threads without the GIL",
    "pypy3.11": "an interpreter that compiles",
}
PINS = ROOT / "scripts" / "pins" / "free-threaded.txt"


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument("--source", type=pathlib.Path, metavar="ARCHIVE",
        help="a source archive of CPython, .tar.xz or .tar.gz")  # fmt: skip
    parser.add_argument("--guided", action="store_true",
        help="let a profile guide its compiler: far longer")  # fmt: skip
    return parser.parse_args(argv)


def versions():
    """Return the folder where pyenv keeps interpreters."""
    root = os.environ.get("PYENV_ROOT", "~/.pyenv")
    return pathlib.Path(root).expanduser() / "versions"


def build(archive, folder, options):
    """Build CPython from its source into a folder; return its interpreter.

    options  of `configure`, beside --prefix
    """
    with scratch.folder() as place:
        try:
            with tarfile.open(archive) as source:
                source.extractall(place / "source", filter="data")
        except tarfile.TarError:
            line = f"{archive.name}: not a .tar archive that can be read"
            raise UserError(line) from None
        (top,) = (place / "source").iterdir()
        cores = str(machine.usable_cores())
        for step in (
            ["./configure", "-q", f"--prefix={folder}", *options],
            ["make", "-s", "-j", cores],
            ["make", "-s", "altinstall"],
        ):
            done = run(step, cwd=top, capture_output=True, text=True)
            if done.returncode:
                line = (done.stderr.strip().splitlines() or ["no reason"])[-1]
                raise UserError(f"{archive.name}: {step[0]}: {line}")
    about = {
        "archive": archive.name,
        "sha256": hashlib.sha256(archive.read_bytes()).hexdigest(),
        "options": options,
        "compiler": sysconfig.get_config_var("CC"),
        "built": time.strftime("%Y-%m-%d"),
    }
    files.write(folder / "built.json", json.dumps(about, indent=1) + "\n")


def build_both(archive, guided):
    """Build an archive with the GIL and without, where not there yet."""
    if not archive.is_file():
        raise UserError(f"{archive}: no such file; repair: name an archive")
    number = re.search(r"\d+\.\d+\.\d+", archive.name)
    if number is None:
        raise UserError(f"{archive.name}: its name tells no version")
    for letter, option in (("", []), ("t", ["--disable-gil"])):
        name = number[0] + letter + "-guided" * guided
        folder = versions() / name
        if not (folder / "built.json").exists():
            print(f"interpreters: building {folder}", flush=True)
            extra = ["--enable-optimizations"] if guided else []
            build(archive, folder, option + extra)
        print(f"interpreters: {folder} is there")


def fetch():
    """Ask uv for what is missing; return {name: why it cannot be had}."""
    lost = {}
    for name in WANTED:
        try:
            uv(
                "python", "install", name,
                quiet=False, UV_PYTHON_DOWNLOADS="manual",
            )  # fmt: skip
        except Impossible as reason:
            lost[name] = str(reason)
    return lost


def libraries():
    """Make the environment of free-threaded libraries; return its folder."""
    free = [one for one in interpreters.find() if one["free_threaded"]]
    folder = library_trials.folder()
    if not free:
        raise Impossible("no free-threaded build is here")
    uv("venv", "--clear", "--python", free[-1]["path"], folder)
    python = folder / "bin" / "python"
    uv("pip", "install", "--python", python, "-r", PINS)
    return folder


@command
def main(argv=None):
    """Run the command; return its exit status."""
    options = parse(argv)
    if options.source:
        build_both(options.source, options.guided)
        return 0
    lost = fetch()
    interpreters.find.cache_clear()
    for name in compilers.programs():
        print(f"interpreters: {name} is there")
    for name, why in lost.items():
        print(f"interpreters: no {name} ({WANTED[name]}): {why}")
    try:
        print(f"interpreters: {libraries()} holds what {PINS.name} pins")
    except Impossible as reason:
        print(f"interpreters: no free-threaded libraries: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
