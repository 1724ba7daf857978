#!/usr/bin/env python3
"""Report what a function of one size costs, and what threads bring it.

    python scripts/confirm.py package.module:function --sizes 1e2:1e6 \\
        --threads 1:8 [--html FILE] [--budget SECONDS] [--seed N]

Calls function(n): fits its cost a + b·n, measures its nogil fraction and its
speed-up in threads, compares its results in one and in many threads, and
says from which size threads pay on this machine.  In place of the module,
the path of a Python file will do: path/to/file.py:function.

Exit code 0: measured; 2: refused, or the function failed, and nothing was
written; 130: interrupted.
"""

import argparse
import contextlib
import math
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap

SCRIPTS = pathlib.Path(__file__).resolve().parent
# Scripts run without an install: the lab sits beside the notebooks.
sys.path.insert(0, str(SCRIPTS.parent / "notebooks"))

CHILD = (
    "import sys; sys.path.append(sys.argv[1]); import confirm_measure; "
    "confirm_measure.main(sys.argv[2])"
)


class BadRequest(Exception):
    """Why nothing was written: one line with the thing and the repair."""


class Parser(argparse.ArgumentParser):
    """argparse that says what is wrong in one line, without the usage."""

    def error(self, message):
        self.exit(2, f"confirm.py: {message}; see --help\n")


def parse(arguments):
    """Return the command line's options."""
    parser = Parser(
        description=__doc__.partition("\n\n")[0],
        epilog="Two sizes with a colon stand for steps of half a decade "
        "(whole decades beyond four); two thread counts for doublings.",
    )
    add = parser.add_argument
    add(
        "function",
        metavar="MODULE:FUNCTION",
        help="function of one argument, the size; or FILE.py:FUNCTION",
    )
    add(
        "--sizes",
        default="1e2:1e6",
        help="smallest:largest, or a list 100,1000 (default: 1e2:1e6)",
    )
    add(
        "--threads",
        metavar="COUNTS",
        help="1:8, or a list 1,2,3 (default: up to the usable cores)",
    )
    add("--html", type=pathlib.Path, metavar="FILE", help="write a page, too")
    add(
        "--budget",
        default=20.0,
        type=float,
        metavar="SECONDS",
        help="time for the samples (default: 20)",
    )
    add(
        "--limit",
        type=float,
        metavar="SECONDS",
        help="end the function's process after so long "
        "(default: 60, or 4 budgets)",
    )
    add("--seed", default=0, type=int, help="of the order of the samples")
    return parser.parse_args(arguments)


# What is asked


def whole(text, option):
    """Return a count written as 1000, 1e3 or 1_000; at least 1."""
    try:
        number = float(text)
        count = int(number)
    except (ValueError, OverflowError):
        count = number = None
    if count is None or count != number:
        raise BadRequest(
            f"{option}: {text.strip()!r} is not a whole number; "
            "write 1000 or 1e3"
        )
    if count < 1:
        raise BadRequest(
            f"{option}: {text.strip()} is below 1; give 1 or more"
        )
    return count


def ends(text, option):
    """Return (low, high) of ``low:high``."""
    parts = text.split(":")
    if len(parts) != 2:
        raise BadRequest(f"{option} {text}: write smallest:largest")
    low, high = (whole(part, option) for part in parts)
    if low >= high:
        raise BadRequest(
            f"{option} {text}: {low} is not below {high}; "
            f"write {parts[1]}:{parts[0]} or a list"
        )
    return low, high


def sizes_of(text):
    """Return the sizes that --sizes asks for, ascending."""
    if ":" not in text:
        return sorted({whole(part, "--sizes") for part in text.split(",")})
    low, high = ends(text, "--sizes")
    decades = math.log10(high / low)
    steps = max(4, round(decades if decades > 4 else 2 * decades))
    exact = [low * (high / low) ** (k / steps) for k in range(steps + 1)]
    return sorted({round(n) for n in exact})


def threads_of(text):
    """Return the thread counts, ascending, 1 among them."""
    from onthefly.experiments.gil import nogil

    if text is None:
        return list(nogil.default_threads())
    if ":" not in text:
        counts = {1, *(whole(part, "--threads") for part in text.split(","))}
    else:
        low, high = ends(text, "--threads")
        powers = {2**k for k in range(high.bit_length())}
        counts = {1, low, high, *(n for n in powers if low < n < high)}
    if max(counts) == 1:
        raise BadRequest(
            f"--threads {text}: nothing to compare with one thread; "
            "give a larger count, e.g. 1:4"
        )
    if max(counts) > 1024:
        raise BadRequest(
            f"--threads {text}: more than 1024 threads; give fewer"
        )
    return sorted(counts)


def check_page(path):
    """Refuse a place where the page could not be written."""
    if path.is_dir():
        raise BadRequest(f"--html {path}: is a folder; name a file in it")
    if not path.parent.is_dir():
        raise BadRequest(
            f"--html {path}: no folder {path.parent}; make it first"
        )
    if not os.access(path.parent, os.W_OK):
        raise BadRequest(
            f"--html {path}: {path.parent} may not be written; "
            "name another folder"
        )


def request_of(options):
    """Return the Request and the limit in seconds, or raise BadRequest."""
    import confirm_measure

    if options.html:
        check_page(options.html)
    for name in ("budget", "limit"):
        value = getattr(options, name)
        if value is not None and not 0 < value < math.inf:
            raise BadRequest(f"--{name} {value:g}: give seconds above 0")
    limit = options.limit or max(60.0, 4 * options.budget)
    request = confirm_measure.Request(
        options.function,
        tuple(sizes_of(options.sizes)),
        tuple(threads_of(options.threads)),
        options.budget,
        options.seed,
    )
    return request, limit


# The measurement, in a child


def measured(request, limit):
    """Run the measurement in a process of its own; return its Found.

    Raises BadRequest where it refuses, crashes or takes beyond `limit`.
    The process and all that it started are ended in every case.
    """
    with tempfile.TemporaryDirectory(prefix="confirm-") as name:
        folder = pathlib.Path(name)
        with open(folder / "log", "wb") as log, _child(folder, log) as child:
            answer = _ask(child, request, limit, folder)
        refused = folder / "refused"
        if refused.exists():
            raise BadRequest(refused.read_text(encoding="utf-8"))
        if not answer:
            ending = _ending(child.returncode)
            raise BadRequest(
                f"{request.target}: its process ended with {ending} in "
                f"{_stage(folder)}{_last_line(folder / 'log')}; repair: "
                "the function" + _hint(_stage(folder))
            )
        return pickle.loads(answer)


@contextlib.contextmanager
def _child(folder, log):
    """Start the child in a group of its own; end the group at the end.

    It is asked and it answers by pipes; what the function prints goes to
    the log.
    """
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, SCRIPTS, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        start_new_session=True,
    )
    try:
        yield child
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _ask(child, request, limit, folder):
    if sys.stderr.isatty():
        print(
            f"measuring {request.target} for about {request.budget:g} s …",
            file=sys.stderr,
        )
    try:
        return child.communicate(pickle.dumps(request), limit)[0]
    except subprocess.TimeoutExpired:
        raise BadRequest(
            f"{request.target}: not done after {limit:g} s, in "
            f"{_stage(folder)}; repair: smaller --sizes, or a larger --limit"
        ) from None


def _stage(folder):
    path = folder / "stage"
    return path.read_text(encoding="utf-8") if path.exists() else "its start"


def _hint(stage):
    return ", which may not be safe in threads" if "threads" in stage else ""


def _ending(code):
    if code >= 0:
        return f"exit status {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def _last_line(log):
    """Return the last line that the process printed, after a colon."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    lines = [line.strip() for line in lines if line.strip()]
    return f": {lines[-1][:200]}" if lines else ""


# The report in the terminal


def text(found, width):
    """Return the report as plain text of at most `width` columns."""
    import confirm_page
    from onthefly.page import machine_line

    parts = [
        found.request.target,
        textwrap.fill(machine_line(found.machine), width),
        "",
    ]
    for name, said in confirm_page.findings(found):
        parts.append(
            textwrap.fill(
                f"{name:<11}{said}",
                width,
                subsequent_indent=" " * 11,
                break_long_words=False,
            )
        )
    for title, head, rows in confirm_page.tables(found):
        parts += [
            "",
            *textwrap.wrap(title, width),
            *_aligned(head, rows, width),
        ]
    return "\n".join(parts)


def _aligned(head, rows, width):
    """Yield lines of a table; intervals are left out where it is too wide."""
    cells = [head, *([str(c) for c in row] for row in rows)]
    lines = _lines(cells)
    if max(map(len, lines)) > width:
        cells = [head, *([_short(c) for c in row] for row in rows)]
        lines = _lines(cells)
    return lines


def _short(cell):
    return str(cell).partition(" (")[0]


def _lines(cells):
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.rjust(w) for cell, w in zip(row, widths, strict=True)
        ).rstrip()
        for row in cells
    ]


def main(arguments=None):
    """Run the command line; return the exit code."""
    # A CI step that is stopped gets what Ctrl-C gets, and Ctrl-C also works
    # on a job in the background, for which a script's shell ignores it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        options = parse(arguments)
        request, limit = request_of(options)
        found = measured(request, limit)
        if options.html:
            import confirm_page
            from onthefly import results

            page = confirm_page.page(found)
            try:
                results.write_atomically(options.html, page)
            except OSError as error:
                raise BadRequest(
                    f"--html {options.html}: {error.strerror}; "
                    "name another place"
                ) from None
        columns = shutil.get_terminal_size((80, 24)).columns
        print(text(found, min(max(columns, 40), 80)))
        if options.html:
            print(f"\npage: {options.html}")
    except BadRequest as error:
        print(f"confirm.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("confirm.py: interrupted; nothing written", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
