#!/usr/bin/env python3
"""Measure on a machine with a GPU what needs one, in the time given.

    python scripts/gpu_box.py --minutes 9            check, measure, record
    python scripts/gpu_box.py --minutes 9 --to DIR   pack the record, too
    python scripts/gpu_box.py --take DIR/NAME.zip    on another machine
    python scripts/gpu_box.py --rehearse             without a GPU

Checks the GPU and its libraries, then runs the pages that measure on a GPU:
those first that this machine has not recorded, the shortest first.  What does
not fit into the time left is named, and not run.  Each page is recorded as
soon as it ends.  The same command goes on where an earlier one has ended, or
was killed.  It needs no network and no git.

A rehearsal runs the pages at preset S as without a GPU, in a folder of its
own; the page numba-cuda then runs its kernels in Numba's simulator.  It
records nothing.

Exit codes: 0 all that this GPU can measure is recorded; 1 some of it is not;
2 refused; 130 interrupted.
"""

import argparse
import dataclasses
import math
import os
import pathlib
import shlex
import sys
import tempfile
import time

import commandline.needed  # noqa: F401 (first: it ends in one line)
from commandline import ROOT, Parser, check_name, command, folder, shown
from onthefly import folders
from onthefly.environment import devices
from onthefly.errors import UserError
from onthefly.measure import data, machine
from onthefly.page.source import HERE
from onthefly.terminal import lock
from record import NOISY
from recording import archive, parcel
from recording.checks import SIMULATOR
from running import gpu_ready, on_device, preconditions, request
from running.in_time import Fate, InTime
from running.job import Job
from running.key import Sources


def parse(argv):
    """Return the command line's options."""
    parser = Parser(__doc__, whole=True)
    add = parser.add_argument
    add(
        "pages", nargs="*", metavar="PAGE",
        help="default: all that measure on a GPU",
    )  # fmt: skip
    add(
        "--minutes", type=float, default=9.0, metavar="N",
        help="that all of it may take (default: 9)",
    )  # fmt: skip
    add(
        "--preset", metavar="S|M|L|talk",
        help="sizes and time budgets (default: M)",
    )  # fmt: skip
    add("--name", help="of the machine (default: its processor and GPU)")
    add(
        "--to", type=folder, metavar="DIR",
        help="also pack what is recorded into DIR/NAME.zip",
    )  # fmt: skip
    add(
        "--take", type=pathlib.Path, metavar="FILE",
        help="run nothing; record what --to has packed elsewhere",
    )  # fmt: skip
    add("--rehearse", action="store_true", help="run the pages without a GPU")
    add(
        "--notebooks", type=folder, metavar="DIR",
        default=ROOT / "notebooks", help="the folder of the pages",
    )  # fmt: skip
    add(
        "--build", type=folder, metavar="DIR", default=folders.build_dir(),
        help="the folder of the output",
    )  # fmt: skip
    add(
        "--book", type=folder, metavar="DIR", default=ROOT / "book",
        help="where data/ and results/ of all machines are",
    )  # fmt: skip
    return parser.parse_args(argv)


def check_options(options):
    """Raise UserError for options that are none, or not for each other."""
    if not 0 < options.minutes < math.inf:
        raise UserError(f"--minutes {options.minutes:g}: give more than 0")
    if options.name is not None:
        check_name("--name", options.name)
    if options.rehearse and (options.name or options.to):
        raise UserError(
            "--rehearse: not with --name or --to, for it records nothing"
        )
    if os.environ.get(SIMULATOR, "0") != "0":
        raise UserError(
            f"{SIMULATOR} is set, and a simulator's times are no GPU's; "
            "repair: unset it; a rehearsal sets it where it is needed"
        )


def jobs_of(options):
    """Return the Jobs of the pages named, or of all that ask for a GPU."""
    asked, chapters = request.resolve(
        argparse.Namespace(
            chapters=options.pages, preset=options.preset, device="auto",
            data=HERE, limit=None, notebooks=options.notebooks,
            build=options.build, parameters=[], force=False, scheduler=None,
        )
    )  # fmt: skip
    sources = Sources(ROOT, asked.lab)
    jobs = [Job(chapter, asked, sources) for chapter in chapters]
    chosen = [j for j in jobs if options.pages or on_device.of_page(j)]
    if not chosen:
        raise UserError(f"{shown(asked.notebooks)}: no page asks for a GPU")
    return chosen


def name_of(options):
    """Return what the machine is called in the book.

    By default its slug; where another machine of its kind has that, with
    digits of its own.  Raises UserError where another machine has the name
    that is asked for.
    """
    name, own = options.name or machine.slug(), machine.identity()
    there = sorted((options.book / "data" / name).glob("*.json"))
    if not (own and data.strangers(there, own)):
        return name
    if options.name:
        raise UserError(
            f"--name {name}: another machine of the book is called so; "
            "repair: choose another"
        )
    return machine.unique_slug()


def record(fate, name, book):
    """Record a page that was measured; return its Fate."""
    job = fate.job
    try:
        list(
            archive.record([job.data], job.results.parent, book, name, NOISY)
        )
    except UserError as error:
        why = "; ".join(str(error).splitlines())
        return Fate(job, f"{fate.words}, not recorded: {why}", failed=True)
    return dataclasses.replace(fate, words=f"{fate.words}, recorded")


def pack(jobs, name, options):
    """Write to --to all that was recorded of this build, and what failed."""
    own = {path.name for path in options.build.glob("data/*/*/*.json")}
    there = sorted((options.book / "data" / name).glob("*.json"))
    left = [p for job in jobs for p in (job.partial, job.log) if p.is_file()]
    parcel.pack(
        options.to / f"{name}.zip",
        options.book,
        name,
        [path.stem for path in there if path.name in own],
        {f"failed/{path.name}": path for path in left},
    )


def go_through(run, name, options):
    """Run and record the pages of an InTime; return their Fates."""
    fates = []
    folder = options.book / "data" / name
    for fate in run.fates(
        lambda job: (folder / f"{job.chapter.slug}.json").exists()
    ):
        if fate.measured and not run.rehearsed:
            fate = record(fate, name, options.book)
        fates.append(fate)
        if options.to:
            pack(run.jobs, name, options)
    return fates


def what_next(fates, name, options, argv):
    """Yield lines on where the record is, and on what to do next."""
    if options.rehearse:
        yield "rehearsed: nothing was measured on a GPU, nothing recorded"
    elif (options.book / "data" / name).exists():
        places = [shown(options.book / kind / name) for kind in parcel.KINDS]
        yield f"recorded: {' and '.join(places)}"
    if options.to:
        place = options.to / f"{name}.zip"
        yield f"packed: {shown(place)}"
        yield f"on your machine: scripts/gpu_box.py --take {place.name}"
    if left := [fate.job.name for fate in fates if fate.again]:
        line = shlex.join(["python", "scripts/gpu_box.py", *argv])
        yield f"next: {line}, which goes on with {', '.join(left)}"


def take(options):
    """Record what was packed on another machine; return the exit code."""
    with tempfile.TemporaryDirectory() as text:
        place = pathlib.Path(text)
        packed = parcel.unpack(options.take, place)
        name = options.name or packed
        check_name("--name", name)
        sources = sorted((place / "data" / packed).glob("*.json"))
        told = place / "results" / packed
        for line in archive.record(sources, told, options.book, name, NOISY):
            print(f"gpu_box: {line}")
    return 0


@command
def main(argv=None):
    """Run the command; return its exit code."""
    begun, given = time.monotonic(), sys.argv[1:] if argv is None else argv
    options = parse(argv)
    if options.take:
        return take(options)
    check_options(options)
    preconditions.open_files()
    options.preset = options.preset or ("S" if options.rehearse else "M")
    if options.rehearse:
        os.environ[devices.VISIBLE] = ""  # also where there is a GPU
        options.build = options.build / "rehearsal"
    jobs, name = jobs_of(options), name_of(options)
    with lock.alone(options.build):
        seen = None if options.rehearse else gpu_ready.seen(options.build)
        preconditions.check_files(jobs)
        preconditions.check_places(jobs)
        preconditions.check_machine(jobs)
        run = InTime(jobs, seen, begun, 60 * options.minutes)
        fates = go_through(run, name, options)
    print(*run.report(fates), sep="\n")
    print(*what_next(fates, name, options, given), sep="\n")
    return int(any(fate.again or fate.failed for fate in fates))


if __name__ == "__main__":
    sys.exit(main())
