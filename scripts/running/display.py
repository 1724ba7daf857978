"""What is seen while chapters run: plain lines, or moving bars."""

import contextlib
import os
import sys
import time


def span(seconds):
    """Return seconds as m:ss, or "?" for None."""
    if seconds is None:
        return "?"
    return "{}:{:02d}".format(*divmod(round(seconds), 60))


class Lines:
    """The display where there is no terminal: one line a code cell."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def start(self, name, chapter, expected):
        """Show that a chapter begins; `expected` in seconds, or None."""
        self.name, self.cells = name, len(chapter.cells)
        self.begun, self.expected = time.monotonic(), span(expected)
        self._print(f"{self.cells} cells, expected {self.expected}")

    def cell(self, number, line):
        """Show that a cell begins."""
        time_ = f"{span(time.monotonic() - self.begun)} of {self.expected}"
        self._print(f"cell {number}/{self.cells}, {time_}: {line}")

    def end(self, word):
        """Show how the chapter ended."""
        self._print(f"{word} in {span(time.monotonic() - self.begun)}")

    def note(self, text):
        """Show a line about the chapter."""
        self._print(text)

    def _print(self, text):
        # What is shown is no part of the run: a log on a full disk ends none.
        with contextlib.suppress(OSError):
            print(f"{self.name}: {text}", flush=True)


class Bars:
    """The display on a terminal: one bar a chapter."""

    def __init__(self):
        from rich import progress

        column = progress.TextColumn
        self.bars = progress.Progress(
            column("{task.description}"),
            progress.BarColumn(16),
            column("cell {task.completed}/{task.total}"),
            progress.TimeElapsedColumn(),
            column("of {task.fields[expected]}  {task.fields[note]}"),
            refresh_per_second=1,  # seldom: what runs is being timed
        )

    def __enter__(self):
        self.bars.start()
        return self

    def __exit__(self, *_):
        self.bars.stop()

    def start(self, name, chapter, expected):
        """Show that a chapter begins; `expected` in seconds, or None."""
        self.bar = self.bars.add_task(
            name, total=len(chapter.cells),
            expected=span(expected), note="",
        )  # fmt: skip

    def cell(self, number, line):
        """Show that a cell begins."""
        self.bars.update(self.bar, completed=number)

    def note(self, text):
        """Show a line about the chapter."""
        self.bars.console.print(text, markup=False)

    def end(self, word):
        """Show how the chapter ended."""
        self.bars.stop_task(self.bar)
        if word == "done":
            total = self.bars.tasks[self.bar].total
            self.bars.update(self.bar, completed=total)
        self.bars.update(self.bar, note=word)


def make_display():
    """Return the display that suits the standard output."""
    terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return Bars() if terminal else Lines()
