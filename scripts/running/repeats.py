"""Several runs of the same chapters, in turns, each a session of its own.

Samples of one process are correlated, so that a comparison needs several
processes; and a machine drifts, so that these take turns: A B C, A B C, and
not A A A.  Each adds a session to what this build keeps; the build's pages
stay as they are.  With another checkout, each chapter runs in both, one after
the other, which of them first by turns; what that one measures is kept in
<build>/against/.
"""

import argparse
import dataclasses

from commandline import ROOT, shown
from onthefly.errors import UserError
from onthefly.page.checkout import pages
from onthefly.page.source import FRESH
from running import request
from running.job import Job
from running.key import Sources
from running.request import Request

OTHER = "against"  # folder of a build


@dataclasses.dataclass(frozen=True)
class Repeat(Request):
    """One of several runs.

    number  of this one, from 1
    """

    number: int = 1

    @property
    def pages(self):
        return self.build / "repeats"

    @property
    def results(self):
        return self.pages / "results"

    @property
    def label(self):
        side = f" {OTHER}" if self.build.name == OTHER else ""
        return f"{side} {self.number}"


def jobs(asked, chapters, options):
    """Return the Jobs of all repeats, in the order in which they run.

    asked, chapters  as `request.resolve` returned them of the options
    options          the command line's: `repeat` and `against` count here

    Raises UserError where there is nothing to run.
    """
    if options.repeat < 1:
        raise UserError(f"--repeat {options.repeat}: give 1 or more")
    sides = [(asked, chapters)]
    if options.against:
        sides.insert(0, _other(options))
    sources = [Sources(ROOT, one.lab) for one, _ in sides]
    in_turn = []
    for number in range(1, options.repeat + 1):
        made = {}
        for (one, some), files in zip(sides, sources, strict=True):
            fields = vars(one) | {"data": FRESH, "force": True}
            repeat = Repeat(**fields, number=number)
            for chapter in some:
                job = Job(chapter, repeat, files)
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
    build = options.build / OTHER
    fields = {**vars(options), "notebooks": folder, "build": build}
    return request.resolve(argparse.Namespace(**fields))
