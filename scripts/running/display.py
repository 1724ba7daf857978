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

    def note(self, text):
        """Show a line about the run."""
        _show(text)

    def start(self, name, chapter, expected, place):
        """Return the row of a chapter that begins.

        expected  seconds, or None
        place     of the chapter in the run, in words
        """
        return _Line(name, chapter, span(expected), place)


def _show(text):
    # What is shown is no part of the run: a log on a full disk ends none.
    with contextlib.suppress(OSError):
        # In one piece: chapters that run side by side share the log.
        print(f"{text}\n", end="", flush=True)


class _Line:
    """A chapter's lines."""

    def __init__(self, name, chapter, expected, place):
        self.name, self.cells = name, len(chapter.cells)
        self.begun, self.expected = time.monotonic(), expected
        self.note(f"{self.cells} cells, expected {expected}; {place}")

    def cell(self, number, line):
        """Show that a cell begins."""
        time_ = f"{span(time.monotonic() - self.begun)} of {self.expected}"
        self.note(f"cell {number}/{self.cells}, {time_}: {line}")

    def end(self, word):
        """Show how the chapter ended."""
        self.note(f"{word} in {span(time.monotonic() - self.begun)}")

    def note(self, text):
        """Show a line about the chapter."""
        _show(f"{self.name}: {text}")


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

    def note(self, text):
        """Show a line about the run."""
        self.bars.console.print(text, markup=False)

    def start(self, name, chapter, expected, place):
        """Return the row of a chapter that begins.

        expected  seconds, or None
        place     of the chapter in the run, in words
        """
        return _Bar(self.bars, name, chapter, span(expected), place)


class _Bar:
    """A chapter's bar among `bars`."""

    def __init__(self, bars, name, chapter, expected, place):
        self.bars, self.cells = bars, len(chapter.cells)
        self.task = bars.add_task(
            name, total=self.cells, expected=expected, note=place
        )

    def cell(self, number, line):
        """Show that a cell begins."""
        self.bars.update(self.task, completed=number)

    def note(self, text):
        """Show a line about the chapter."""
        self.bars.console.print(text, markup=False)

    def end(self, word):
        """Show how the chapter ended."""
        self.bars.stop_task(self.task)
        if word == "done":
            self.bars.update(self.task, completed=self.cells)
        self.bars.update(self.task, note=word)


def make_display():
    """Return the display that suits the standard output."""
    terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return Bars() if terminal else Lines()
