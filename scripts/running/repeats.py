"""Several runs of the same chapters, in turns, and each run's results kept.

Samples of one process are correlated, so that a comparison needs several
processes; and a machine drifts, so that these take turns: A B C, A B C, and
not A A A.  Their results lie in <build>/repeats/001/<machine>/ and so on;
what is there stays, and new runs go on with the next number.  With another
checkout, each chapter runs in both, one after the other, which of them first
by turns; that one's results lie in <build>/against/.
"""

import argparse
import dataclasses
import re

from commandline import ROOT, shown
from onthefly.errors import UserError
from onthefly.provenance import pages
from running import request
from running.job import Job
from running.key import Sources
from running.request import Request

OWN, OTHER = "repeats", "against"  # folders of a build


@dataclasses.dataclass(frozen=True)
class Repeat(Request):
    """One of several runs; the build's own pages and results stay.

    series  the folder of the build that keeps these runs
    number  of this one, from 1
    """

    series: str = OWN
    number: int = 1

    @property
    def pages(self):
        return self.build / self.series

    @property
    def results(self):
        return self.pages / f"{self.number:03}"

    @property
    def label(self):
        return f" {self.series} {self.number:03}"


def jobs(asked, chapters, options):
    """Return the Jobs of all repeats, in the order in which they run.

    asked, chapters  as `request.resolve` returned them of the options
    options          the command line's: `repeat` and `against` count here

    Raises UserError where there is nothing to run.
    """
    if options.repeat < 1:
        raise UserError(f"--repeat {options.repeat}: give 1 or more")
    sides = {OWN: (asked, chapters)}
    if options.against:
        sides = {OTHER: _other(options), **sides}
    sources = {name: Sources(ROOT, a.lab) for name, (a, _) in sides.items()}
    first = 1 + max(map(last, (asked.build / name for name in sides)))
    in_turn = []
    for number in range(first, first + options.repeat):
        made = {}
        for name, (a, some) in sides.items():
            fields = dataclasses.asdict(a)
            one = Repeat(**fields, series=name, number=number)
            for chapter in some:
                job = Job(chapter, one, sources[name])
                made.setdefault(chapter.slug, []).append(job)
        turn = 1 if number % 2 else -1  # who is first may heat who follows
        in_turn += [job for pair in made.values() for job in pair[::turn]]
    return in_turn


def _other(options):
    """Return the Request and the Chapters of the other checkout."""
    folder = options.against.resolve()
    if not pages(folder):
        raise UserError(
            f"--against {shown(folder)}: no pages there; name the notebooks "
            "folder of another checkout"
        )
    fields = {**vars(options), "notebooks": folder}
    return request.resolve(argparse.Namespace(**fields))


def last(folder):
    """Return the last number of the repeats that a folder keeps, or 0."""
    names = (path.name for path in folder.glob("*") if path.is_dir())
    return max(
        (int(n) for n in names if re.fullmatch(r"\d{3,}", n)), default=0
    )
