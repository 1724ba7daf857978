"""Get the interpreters that the book's pages compare.

    python scripts/interpreters.py
    python scripts/interpreters.py --source ARCHIVE [--guided | --llvm 19]

Without options it asks uv for those that this machine lacks, and makes the
environment of free-threaded libraries.  With --source it builds CPython from
its source, once with the GIL and once without, and otherwise alike; both go
where pyenv keeps its own, or, guided by a profile, into _build/guided, and
one that is there stays.  With --llvm as well, it builds one with CPython's
own compiler (PEP 744), by the LLVM of that number, into _build/jit.  What
cannot be had is named: the pages then tell what another machine recorded.
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

from commandline import ROOT, Parser, command
from onthefly import files
from onthefly.errors import UserError
from onthefly.experiments.interpreters import (
    builds,
    compilers,
    library_trials,
)
from onthefly.measure import machine
from onthefly.terminal import scratch
from onthefly.tools import interpreters
from onthefly.tools.programs import run
from onthefly.tools.uv import Impossible, uv

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
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--guided", action="store_true",
        help="let a profile guide its compiler: far longer")  # fmt: skip
    kind.add_argument("--llvm", type=int, metavar="NUMBER",
        help="clang-NUMBER makes one more, with a JIT")  # fmt: skip
    return parser.parse_args(argv)


def versions():
    """Return the folder where pyenv keeps interpreters."""
    root = os.environ.get("PYENV_ROOT", "~/.pyenv")
    return pathlib.Path(root).expanduser() / "versions"


def build(archive, folder, options, llvm=None):
    """Build CPython from its source into a folder.

    options  of `configure`, beside --prefix
    llvm     number of the LLVM that its JIT is to be made by, where it has
             one: a source asks for the newest of its own time
    """
    with scratch.folder() as place:
        try:
            with tarfile.open(archive) as source:
                source.extractall(place / "source", filter="data")
        except tarfile.TarError:
            line = f"{archive.name}: not a .tar archive that can be read"
            raise UserError(line) from None
        (top,) = (place / "source").iterdir()
        if llvm:
            path = top / "Tools" / "jit" / "_llvm.py"
            asked = re.compile(r"^_LLVM_VERSION = .*$", re.M)
            path.write_text(
                asked.sub(f"_LLVM_VERSION = {llvm}", path.read_text())
            )
        cores = str(machine.usable_cores())
        # A shim of pyenv's may have the name that it would look for.
        regen = f"PYTHON_FOR_REGEN={sys.executable}"
        for step in (
            ["./configure", "-q", f"--prefix={folder}", regen, *options],
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
        "llvm": llvm,
        "compiler": sysconfig.get_config_var("CC"),
        "built": time.strftime("%Y-%m-%d"),
    }
    files.write(folder / "built.json", json.dumps(about, indent=1) + "\n")


def build_all(archive, guided, llvm):
    """Build an archive with the GIL and without, where not there yet.

    guided  whether a profile is to guide the compiler
    llvm    number of the LLVM for one more, with a JIT, or None
    """
    if not archive.is_file():
        raise UserError(f"{archive}: no such file; repair: name an archive")
    number = re.search(r"\d+\.\d+\.\d+", archive.name)
    if number is None:
        raise UserError(f"{archive.name}: its name tells no version")
    home = builds.guided_folder() if guided else versions()
    extra = ["--enable-optimizations"] if guided else []
    wanted = {
        home / number[0]: [],
        home / f"{number[0]}t": ["--disable-gil"],
    }
    if llvm:
        jit = compilers.jit_folder() / number[0]
        wanted[jit] = ["--enable-experimental-jit"]
    for folder, options in wanted.items():
        if not (folder / "built.json").exists():
            print(f"interpreters: building {folder}", flush=True)
            own = llvm if "jit" in str(options) else None
            build(archive, folder, options + extra, own)
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
        build_all(options.source, options.guided, options.llvm)
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
