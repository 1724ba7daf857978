"""What the manual of this machine says of threads."""

import gzip
import pathlib
import re

PAGES = pathlib.Path("/usr/share/man/man7")
OLD = "POSIX.1-2001 only"  # removed from POSIX.1-2008


def unsafe_functions(folder=PAGES):
    """Return the functions that POSIX.1-2008 lets be unsafe in threads.

    folder  of section 7 of the manual

    A list of names: the list of the standard's section 2.9.1, as the manual
    page pthreads(7) repeats it.  Empty where the machine has no such page.
    """
    page = next(iter(sorted(folder.glob("pthreads.7*"))), None)
    if page is None:
        return []
    opened = gzip.open if page.suffix == ".gz" else open
    with opened(page, "rt", encoding="utf-8") as file:
        text = file.read()
    _, _, text = text.partition("Thread-safe functions")
    listed = re.search(r"^\.EX\n(.*?)^\.EE", text, re.M | re.S)
    lines = re.sub(r"\n +", " ", listed[1]).splitlines() if listed else []
    return [line.partition("(")[0] for line in lines if OLD not in line]
