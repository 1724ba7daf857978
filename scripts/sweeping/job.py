"""A sweep, from its beginning to its last process."""

import random
import sys
from dataclasses import dataclass
from pathlib import Path

from commandline import ROOT, shown
from onthefly import machine, provenance
from onthefly.refused import Refused
from onthefly.tools import interpreters
from onthefly.tools.processes import ProcessError
from sweeping import environments, kept, timing_child, trials, versions

CHILD = Path(timing_child.__file__).relative_to(ROOT).as_posix()
AGAIN = "repair: --force measures all anew"


@dataclass(frozen=True)
class Job:
    """What a sweep is asked for.

    library  a distribution's name, or "python"
    wanted   its versions, as `versions.asked` returns them
    kernels  list of Kernel
    size     of their data
    repeat   processes a version
    command  with which it is made again
    path     of the file that keeps it
    envs     folder of the environments
    """

    library: str
    wanted: object
    kernels: list
    size: int
    repeat: int
    command: str
    path: Path
    envs: Path

    @property
    def own(self):
        """Whether the interpreters are what is swept."""
        return self.library == versions.PYTHON


def begun(job, force=False):
    """Return the Sweep of a job: the kept one, or with `force` a new one.

    Raises Refused where what is kept was measured from something else.
    """
    made_from = {
        name: provenance.file_hash(ROOT / name)
        for name in sorted(
            {CHILD, *(f for k in job.kernels for f in k.files)}
        )
    }
    names = [kernel.name for kernel in job.kernels]
    if job.path.exists() and not force:
        sweep = kept.load(job.path)
        if changed := _differences(sweep, names, job.size, made_from):
            raise Refused(
                f"{shown(job.path)}: measured with other "
                f"{', '.join(changed)}; {AGAIN}"
            )
        sweep.repeat, sweep.command = job.repeat, job.command
        return sweep
    if job.own:
        found = versions.of_python(job.wanted, interpreters.find())
    else:
        found = versions.of_library(job.library, job.wanted)
    return kept.Sweep(
        job.library,
        job.command,
        names,
        job.size,
        job.repeat,
        made_from,
        machine.record(),
        [kept.Row(name) for name in found],
    )


def _differences(sweep, names, size, made_from):
    """Return what is not as it was when a sweep was begun."""
    slug = machine.slug()
    python = machine.python_build()["version"]
    changed = {
        "kernels": sweep.kernels != names,
        "--size": sweep.size != size,
        f"machine than {slug}": sweep.machine["slug"] != slug,
        f"Python than {python}": sweep.machine["python"]["version"] != python,
    }
    for name in sorted({*sweep.made_from, *made_from}):
        changed[name] = sweep.made_from.get(name) != made_from.get(name)
    return [name for name, other in changed.items() if other]


def prepared(sweep, job, tell=print):
    """Yield (Row, path of its interpreter) of each version that can be had.

    A Row that is left out says why; one whose environment fails may still
    have an interpreter, for what needs the standard library alone.  What
    failed before is tried again.

    tell  function that is given a line for what takes a while
    """
    here = {}
    if job.own:
        here = versions.of_python(job.wanted, interpreters.find())
    needs = frozenset().union(*(k.needs for k in job.kernels))
    for row in sweep.rows:
        row.reason = ""
        row.lost = row.lost if row.runs else {}
        facts = here.get(row.version)
        if job.own and not facts:
            row.reason = (
                "no such interpreter here; repair: name one in the variable "
                "ONTHEFLY_PYTHONS"
            )
            continue
        try:
            if job.own:
                yield row, _python(row, job, facts["path"], needs, tell)
            else:
                one = versions.requirement(job.library, row.version)
                asked = needs - {job.library} | {one}
                yield row, _python(row, job, sys.executable, asked, tell)
        except environments.Impossible as error:
            lost = {k.name: str(error) for k in job.kernels if k.needs}
            row.packages, row.lost = {}, lost
            if len(lost) < len(job.kernels):
                yield row, facts["path"]
            else:
                row.reason = str(error)


def _python(row, job, python, asked, tell):
    """Return the path of a version's interpreter; note its packages."""
    if not asked:
        return python
    name = f"{job.library}-{row.version}"
    made = environments.make(job.envs, name, python, asked, tell)
    if row.runs and row.packages != made.packages:
        raise Refused(
            f"{job.library} {row.version}: measured with other packages; "
            f"{AGAIN}"
        )
    row.packages = made.packages
    return made.python


def measure(sweep, job, pythons, tell=print):
    """Measure what is left, a process at a time; keep each.

    pythons  {version: path of its interpreter}
    tell     function that is given a line for each round

    All versions take turns in each round, in a random order.
    """
    kept.save(sweep, job.path)
    for number, rows in sweep.left().items():
        tell(f"round {number + 1} of {sweep.repeat}")
        random.Random(number).shuffle(rows)
        for row in rows:
            _run(row, job, pythons[row.version], number)
            kept.save(sweep, job.path)


def _run(row, job, python, number):
    """Measure one version in a process; its Row says what came of it."""
    able = [k for k in job.kernels if k.name not in row.lost]
    try:
        run = trials.once(python, able, job.size, seed=number)
    except (ProcessError, OSError) as error:
        row.reason = " ".join(str(error).split())
        return
    row.lost |= run.lost
    if not run.seconds:
        row.reason = next(iter(row.lost.values()))
        return
    others = round(run.others, 3)
    row.runs.append(
        {"round": number, "seconds": run.seconds, "others": others}
    )
