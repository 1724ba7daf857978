"""How many bytes a web server sent in each hour of the day.

A log in the Common Log Format: a line a request, of fixed fields.  Counted
are the requests that were answered with status 200.
Source of the format: Apache HTTP Server, Log Files, Access Log.
"""

import atexit
import functools
import random
import shutil
import tempfile

HOURS = 24
LINE = (
    "203.0.113.{host} - - "
    "[{day:02}/Nov/2026:{hour:02}:{minute:02}:{second:02} "
    '+0000] "GET /{page} HTTP/1.1" {status} {size}\n'
)
PAGES = ("", "index.html", "style.css", "img/logo.png", "api/items?page=2")
STATUSES = (200, 304, 404, 500)
SHARES = (85, 10, 4, 1)  # per cent of the requests, by status


@functools.cache
def log(lines):
    """Return the path of a log of so many lines.

    It is removed when this process ends.
    """
    folder = tempfile.mkdtemp(prefix="weblog-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write(f"{folder}/access.log", lines)
    return f"{folder}/access.log"


def write(file, lines, seed=2018):
    """Write a log of so many lines, the same for the same seed.

    file  its path; a line takes about 90 bytes
    """
    draw = random.Random(seed)
    with open(file, "w", encoding="ascii") as log:
        for k in range(lines):
            second = 86_400 * 30 * k // lines  # of a month, in order
            (status,) = draw.choices(STATUSES, SHARES)
            log.write(
                LINE.format(
                    host=draw.randrange(256),
                    day=1 + second // 86_400,
                    hour=second // 3600 % 24,
                    minute=second // 60 % 60,
                    second=second % 60,
                    page=draw.choice(PAGES),
                    status=status,
                    size="-" if status == 304 else draw.randrange(1, 100_000),
                )
            )
