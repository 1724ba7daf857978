#!/usr/bin/env python3
"""Run the book's chapters: what changed since the last run, one at a time.

Exit code 0: all chapters are up to date, or it was only planned; 1: a
chapter failed; 2: the request was refused and nothing was run; 130:
interrupted.
"""

import sys

from commandline import ROOT, Interrupted, Parser, command, folder, shown
from onthefly import results
from onthefly.refused import Refused
from running import before, request
from running.display import make_display
from running.job import Job
from running.key import Sources
from running.summary import Outcome, planned, table


def parse(arguments):
    """Return the command line's options."""
    parser = Parser(__doc__)
    add = parser.add_argument
    add(
        "chapters",
        nargs="*",
        metavar="CHAPTER",
        help="slug, file stem or path of a chapter (default: all)",
    )
    add(
        "--preset",
        default="S",
        metavar="XS|S|M|L|talk",
        help="sizes and time budgets (default: S)",
    )
    add(
        "--device",
        default="auto",
        metavar="auto|cpu|cuda",
        help="where to compute (default: auto)",
    )
    add(
        "-p",
        dest="parameters",
        nargs=2,
        action="append",
        default=[],
        metavar=("NAME", "VALUE"),
        help="set another parameter",
    )
    add(
        "--limit",
        type=float,
        metavar="SECONDS",
        help="end a chapter after so long (default: by preset)",
    )
    add("--force", action="store_true", help="run what is up to date, too")
    add(
        "--plan",
        action="store_true",
        help="run nothing; say what would run, and what changed",
    )
    add(
        "--notebooks",
        type=folder,
        metavar="DIR",
        default=ROOT / "notebooks",
        help="where the chapters are",
    )
    add(
        "--build",
        type=folder,
        metavar="DIR",
        default=results.build_dir(),
        help="where the output goes",
    )
    add(
        "--scheduler",
        metavar="tcp://…",
        help="run on the workers of this Dask cluster (default: here)",
    )
    return parser.parse_args(arguments)


def check_device(device):
    """Refuse a GPU that is not ready: Refused, with a line for each fault."""
    if device == "cuda":
        from checking import ready  # tries libraries, which load for seconds

        _, wrong = ready.check_gpu()
        if wrong:
            raise Refused("\n".join(wrong))


def run_one(job, display):
    """Run a chapter and return its Outcome.

    Raises Interrupted on Ctrl-C; the kernel has been ended then.
    """
    display.start(job.chapter, job.expected)
    try:
        from running import engine  # loads papermill, for seconds

        seconds, failure = engine.run(job, display)
    except KeyboardInterrupt:
        display.end("interrupted")
        kept = f"; its partial notebook: {shown(job.partial)}"
        raise Interrupted(
            f"interrupted in {job.chapter.slug}"
            + (kept if job.partial.exists() else ", before its first cell")
        ) from None
    word = "FAILED" if failure else "done"
    display.end(word)
    return Outcome(job, word, seconds, failure)


def run_all(jobs, display):
    """Run the jobs that have a reason; return the Outcome of each."""
    return [
        run_one(job, display)
        if job.reasons
        else Outcome(job, "up to date", job.stamp["duration_s"])
        for job in jobs
    ]


@command
def main(arguments=None):
    """Run the command line; return the exit code."""
    options = parse(arguments)
    asked, chapters = request.resolve(options)
    sources = Sources(ROOT, asked.lab)
    if options.scheduler is not None:
        try:
            from spreading import spread  # loads distributed, for a second
        except ModuleNotFoundError as error:
            raise Refused(
                f"--scheduler: {error.name} is missing; repair: make env"
            ) from None
        return spread.run(options, asked, chapters, sources)
    jobs = [Job(chapter, asked, sources) for chapter in chapters]
    if options.plan:
        print(*planned(jobs), sep="\n")
        return 0
    if todo := [job for job in jobs if job.reasons]:
        before.check_files(todo)
        before.check_machine(todo)
        check_device(asked.device)
        with before.alone(asked.build), make_display() as display:
            outcomes = run_all(jobs, display)
    else:
        outcomes = run_all(jobs, None)
    print(*table(outcomes), sep="\n")
    return 1 if any(outcome.failure for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
