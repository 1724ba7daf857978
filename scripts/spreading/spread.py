"""A run whose chapters run on the machines of a cluster."""

from commandline import Interrupted, shown
from onthefly.refused import Refused
from onthefly.tools import needs
from running import before
from running.summary import planned, table, up_to_date
from spreading.cluster import connected
from spreading.job import Remote
from spreading.turns import Turns


def run(options, asked, chapters, sources):
    """Run the chapters on a cluster; return the exit code of run.py.

    options   the command line's: `scheduler` and `plan` count here
    asked     a Request; chapters: its Chapters
    sources   key.Sources of this machine, as those of the workers must be
    """
    with connected(options.scheduler, sources) as cluster:
        jobs = [
            Remote(
                chapter, asked, sources, cluster.names,
                on_device(chapter, asked, sources),
            )
            for chapter in chapters
        ]  # fmt: skip
        if options.plan:
            print(*planned(jobs), sep="\n")
            return 0
        todo = [job for job in jobs if job.reasons]
        check_devices(todo, cluster)
        outcomes = {
            job.chapter.slug: up_to_date(job)
            for job in jobs
            if not job.reasons
        }
        if todo:
            before.check_files(todo)
            with before.alone(asked.build):
                outcomes |= run_all(todo, cluster)
    outcomes = [outcomes[job.chapter.slug] for job in jobs]
    print(*table(outcomes), sep="\n")
    return 1 if any(o.failure for o in outcomes) else 0


def on_device(chapter, asked, sources):
    """Tell whether a chapter is to run where there is a GPU.

    One of which a claim needs a device is, unless `--device cpu` is asked.
    """
    if asked.device != "auto":
        return asked.device == "cuda"
    return any(map(needs.on_device, sources.needs(chapter.slug)))


def check_devices(jobs, cluster):
    """Refuse pages for a device where no worker declares one."""
    pages = [job.chapter.slug for job in jobs if job.device]
    if pages and not any(w.gpu for w in cluster.workers.values()):
        raise Refused(
            f"{', '.join(pages)}: for a GPU, and no worker declares one; "
            "repair: start one with --resources GPU=1, or run with --device "
            "cpu, which draws what was recorded"
        )


def run_all(jobs, cluster):
    """Run the jobs; return {slug: Outcome}.

    Raises Interrupted on Ctrl-C; what runs on the workers is ended then.
    """
    cluster.start()
    turns, found = Turns(cluster, jobs), {}
    try:
        for outcome in turns.outcomes():
            found[outcome.job.chapter.slug] = outcome
    except KeyboardInterrupt:
        slugs = [job.chapter.slug for job, _ in turns.running.values()]
        build = shown(jobs[0].request.build)
        raise Interrupted(
            f"interrupted; ended there: {', '.join(slugs) or 'none'}; "
            f"{len(found)} of {len(jobs)} came back and are kept in {build}"
        ) from None
    return found
