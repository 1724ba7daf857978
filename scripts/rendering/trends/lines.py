"""The lines of a page's history, and the steps in them.

A line is what one machine measured at one preset: runs of two machines, or
of two presets, are not compared.
"""

import collections
import dataclasses
import itertools
import math
import statistics

from keeping.entry import Entry
from keeping.ratios import Ratio

LEAST = 2  # runs on each side of a step: one alone is an outlier
NEEDED = 2 * LEAST


@dataclasses.dataclass(frozen=True)
class Point:
    """A run and its headline ratio."""

    entry: Entry
    ratio: Ratio


@dataclasses.dataclass(frozen=True)
class Piece:
    """Runs of a line between two steps, in their order; `level`: median."""

    points: tuple[Point, ...]

    @property
    def level(self):
        """The median of the ratios."""
        return statistics.median(p.ratio.value for p in self.points)


@dataclasses.dataclass(frozen=True)
class Line:
    """What a machine measured at a preset.

    name    of the machine and the preset
    points  in the order of their runs
    """

    name: str
    points: tuple[Point, ...]

    def pieces(self):
        """Return the Pieces, by asv's `step_detect`, of at least LEAST runs.

        It fits levels to the logarithms of the ratios.  A level of fewer
        runs is an outlier, and the others are looked at without it.
        """
        from asv.step_detect import detect_steps

        logs = [math.log(p.ratio.value) for p in self.points]
        if len(logs) < NEEDED:
            return [Piece(self.points)]
        for left, right, *_ in detect_steps(logs):
            if right - left < LEAST:
                logs[left:right] = [None] * (right - left)
        found = [
            tuple(
                point
                for point, value in zip(
                    self.points[left:right], logs[left:right], strict=True
                )
                if value is not None
            )
            for left, right, *_ in detect_steps(logs)
        ]
        return [Piece(p) for p in found if len(p) >= LEAST] or [
            Piece(self.points)
        ]

    def steps(self):
        """Return the pairs of Pieces before and after each step."""
        return list(itertools.pairwise(self.pieces()))


@dataclasses.dataclass(frozen=True)
class History:
    """The runs of a page: what its headline is, and a Line for each series.

    page  its slug
    of    what the ratio is of, as in a Ratio
    """

    page: str
    of: tuple[str, ...]
    lines: tuple[Line, ...]

    def chosen(self, most):
        """Return the `most` lines with the most runs, in their order."""
        ranked = sorted(self.lines, key=lambda line: -len(line.points))
        return [line for line in self.lines if line in ranked[:most]]


def histories(entries):
    """Return {page: History} of all pages with a ratio.

    entries  in the order of their runs

    What the headline is, the newest run says: its first Ratio.
    """
    by_page = collections.defaultdict(list)
    for entry in entries:
        by_page[entry.page].append(entry)
    found = {}
    for page, own in by_page.items():
        newest = next((e for e in reversed(own) if e.ratios), None)
        if newest:
            of = newest.ratios[0].of
            found[page] = History(page, of, tuple(_lines(own, of)))
    return found


def _lines(entries, of):
    """Yield the Lines of a page: one a machine, its id, and a preset."""
    runs = collections.defaultdict(list)
    for entry in entries:
        for ratio in entry.ratios:
            if ratio.of == of:
                key = entry.machine, entry.id, entry.preset
                runs[key].append(Point(entry, ratio))
    ids = collections.defaultdict(set)
    for machine, id_, _ in runs:
        ids[machine].add(id_)
    for (machine, id_, preset), points in sorted(runs.items()):
        own = f" ({id_[:8] or 'no id'})" if len(ids[machine]) > 1 else ""
        yield Line(f"{machine}{own}, {preset}", tuple(points))
