"""What is asked of confirm.py: a function, sizes, threads, seconds."""

import dataclasses
import math
import os

from commandline.sizes import ends, sizes_of, whole
from onthefly.errors import UserError


@dataclasses.dataclass(frozen=True)
class Request:
    """What to measure: the function's name, sizes and thread counts.

    maker  the name of what makes the function's inputs, or "": see `Calls`
    """

    target: str
    sizes: tuple[int, ...]
    threads: tuple[int, ...]
    budget: float
    seed: int
    maker: str = ""


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
        raise UserError(
            f"--threads {text}: nothing to compare with one thread; "
            "give a larger count, e.g. 1:4"
        )
    if max(counts) > 1024:
        raise UserError(
            f"--threads {text}: more than 1024 threads; give fewer"
        )
    return sorted(counts)


def check_page(path):
    """Refuse a place where the page could not be written."""
    if path.is_dir():
        raise UserError(f"--html {path}: is a folder; name a file in it")
    if not path.parent.is_dir():
        raise UserError(
            f"--html {path}: no folder {path.parent}; make it first"
        )
    if not os.access(path.parent, os.W_OK):
        raise UserError(
            f"--html {path}: {path.parent} may not be written; "
            "name another folder"
        )


def request_of(options):
    """Return the Request and the limit in seconds, or raise UserError."""
    if options.html:
        check_page(options.html)
    for name in ("budget", "limit"):
        value = getattr(options, name)
        if value is not None and not 0 < value < math.inf:
            raise UserError(f"--{name} {value:g}: give seconds above 0")
    if options.arg is not None and not options.arg.strip():
        raise UserError(f"--arg {options.arg!r}: name a function")
    limit = options.limit or max(60.0, 4 * options.budget)
    request = Request(
        options.function,
        tuple(sizes_of(options.sizes)),
        tuple(threads_of(options.threads)),
        options.budget,
        options.seed,
        options.arg or "",
    )
    return request, limit
