#!/usr/bin/env python3
"""Run the pages of the book that changed since the last run, one at a time.

Pages that time nothing, and say so in their metadata, may run side by side.

Exit codes: 0 all pages are up to date, or it was only planned; 1 a page
failed; 2 refused, and nothing was run; 130 interrupted.
"""

import sys

from commandline import ROOT, Parser, command, folder
from onthefly import folders
from onthefly.errors import UserError
from onthefly.page.source import FRESH, HERE
from onthefly.terminal import lock
from running import forecast, preconditions, repeats, request, sharpen
from running.display import make_display
from running.job import Job
from running.key import Sources
from running.order import Order
from running.summary import planned, table, up_to_date


def parse(arguments):
    """Return the command line's options."""
    parser = Parser(__doc__)
    add = parser.add_argument
    add(
        "chapters",
        nargs="*",
        metavar="CHAPTER",
        help="slug, file stem or path of a page (default: all)",
    )
    add(
        "--preset",
        default="S",
        metavar="S|M|L|talk",
        help="sizes and time budgets (default: S)",
    )
    add(
        "--device",
        default="auto",
        metavar="auto|cpu|cuda",
        help="where to compute (default: auto)",
    )
    add(
        "--data",
        default="here",
        metavar="here|fresh|MACHINE",
        help="here: measure what is not stored yet; fresh: measure all; "
        "MACHINE: show what it recorded, measure nothing (default: here)",
    )
    add(
        "-p",
        dest="parameters",
        nargs=2,
        action="append",
        default=[],
        metavar=("NAME", "VALUE"),
        help="set another parameter of the page",
    )
    add(
        "--limit",
        type=float,
        metavar="SECONDS",
        help="end a page that takes longer (default: by preset)",
    )
    add(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="pages that measure nothing, at once (default: 1)",
    )
    add(
        "--repeat",
        type=int,
        metavar="K",
        help="run the pages K times, in turns, and store each result",
    )
    add(
        "--against",
        type=folder,
        metavar="DIR",
        help="with --repeat: also run the pages of DIR, in turns",
    )
    add(
        "--force",
        action="store_true",
        help="also run pages that are up to date",
    )
    add(
        "--plan",
        action="store_true",
        help="run nothing; say which pages would run, and why",
    )
    add(
        "--notebooks",
        type=folder,
        metavar="DIR",
        default=ROOT / "notebooks",
        help="the folder of the pages",
    )
    add(
        "--build",
        type=folder,
        metavar="DIR",
        default=folders.build_dir(),
        help="the folder of the output",
    )
    add(
        "--record-durations",
        action="store_true",
        help="run nothing; record how long the pages took",
    )
    add(
        "--sharpen",
        type=float,
        metavar="MINUTES",
        help="then measure more where conclusions or verdicts are open",
    )
    add(
        "--scheduler",
        metavar="tcp://…",
        help="run on the workers of this Dask cluster (default: here)",
    )
    return parser.parse_args(arguments)


def jobs_of(asked, chapters, options):
    """Return the Jobs: a chapter once, or in as many repeats as asked."""
    if options.repeat is not None:
        if options.jobs > 1:
            raise UserError(
                "--jobs: not with --repeat, whose runs take turns"
            )
        if options.sharpen is not None:
            raise UserError("--sharpen: not with --repeat; give one of them")
        return repeats.jobs(asked, chapters, options)
    if options.sharpen is not None and not options.sharpen > 0:
        raise UserError(f"--sharpen {options.sharpen:g}: give minutes")
    if options.against:
        raise UserError("--against: give --repeat K, too: they run in turns")
    sources = Sources(ROOT, asked.lab)
    return [Job(chapter, asked, sources) for chapter in chapters]


def check_device(device):
    """Raise UserError for a GPU that is not ready, a line for each fault."""
    if device == "cuda":
        # Late: it tries libraries, which load for seconds.
        from onthefly.environment import ready

        _, wrong = ready.check_gpu()
        if wrong:
            raise UserError("\n".join(wrong))


def run_here(jobs, todo, options):
    """Run chapters on this machine; return {a job's name: Outcome}."""
    preconditions.check_machine(todo)
    check_device(options.device)
    with make_display() as display:
        outcomes = Order(jobs, todo, display, options.jobs).run()
        # Of what was measured now: to tell a page again measures nothing.
        now = [job for job in todo if job.measures]
        if options.data == HERE and options.repeat is None:
            for job in sharpen.disturbed(now):
                outcomes |= Order([job], [job], display, 1).run()
    return outcomes


def again(job):
    """Run a chapter that measures some groups once more; tell of success."""
    with lock.alone(job.request.build), make_display() as display:
        outcomes = Order([job], [job], display, 1).run()
    return not outcomes[job.name].failure


def on_cluster(options, asked, chapters):
    """Run the chapters on the workers of a cluster; return the exit code."""
    alone = options.repeat, options.against, options.sharpen
    if any(x is not None for x in alone) or options.jobs > 1:
        raise UserError(
            "--scheduler: not with --repeat, --against, --sharpen or --jobs, "
            "which are for one machine; leave them out"
        )
    if asked.data not in (HERE, FRESH):
        raise UserError(
            f"--scheduler: its workers measure, and --data {asked.data} "
            "tells what was recorded; leave one out"
        )
    try:
        from running import cluster  # loads distributed, for a second
    except ModuleNotFoundError as error:
        raise UserError(
            f"--scheduler: {error.name} is missing; repair: make env"
        ) from None
    sources = Sources(ROOT, asked.lab)
    with cluster.connected(options.scheduler, sources) as workers:
        jobs = [workers.job(chapter, asked) for chapter in chapters]
        return carry_out(options, jobs, lambda _, todo: workers.run(todo))


def carry_out(options, jobs, run):
    """Do what is asked with the Jobs; return the exit code.

    run  function of all of them, and of those that are not up to date;
         returns {a job's name: Outcome} of the latter
    """
    if options.plan:
        print(*planned(jobs), sep="\n")
        return 0
    if options.record_durations:
        print(forecast.record(jobs))
        return 0
    outcomes = {job.name: up_to_date(job) for job in jobs if not job.reasons}
    if todo := [job for job in jobs if job.reasons]:
        preconditions.check_files(todo)
        preconditions.check_places(todo)
        with lock.alone(options.build):
            outcomes |= run(jobs, todo)
    outcomes = [outcomes[job.name] for job in jobs]
    print(*table(outcomes), sep="\n")
    if options.sharpen is not None:
        for line in sharpen.sharpen(jobs, options.sharpen, again):
            print(line, flush=True)
    return 1 if any(outcome.failure for outcome in outcomes) else 0


@command
def main(arguments=None):
    """Run the command line; return the exit code."""
    options = parse(arguments)
    preconditions.open_files()
    if options.jobs < 1:
        raise UserError(f"--jobs {options.jobs}: give 1 or more")
    asked, chapters = request.resolve(options)
    if not options.chapters:
        preconditions.check_contents(asked.notebooks)
    if options.scheduler is not None:
        return on_cluster(options, asked, chapters)
    jobs = jobs_of(asked, chapters, options)
    return carry_out(options, jobs, lambda *jobs: run_here(*jobs, options))


if __name__ == "__main__":
    sys.exit(main())
