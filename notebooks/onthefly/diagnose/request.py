"""What is asked of confirm.py: a function, sizes, threads, seconds."""

import dataclasses
import math
import os

from onthefly.errors import UserError
from onthefly.measure import nogil
from onthefly.terminal.sizes import ends, sizes_of, whole


@dataclasses.dataclass(frozen=True)
class Request:
    """What to measure: the function's name, sizes and thread counts.

    budget  seconds for the samples; `limit` for each process
    seed    of the order of the samples
    maker   the name of what makes the function's inputs, or "": see `Calls`
    """

    target: str
    sizes: tuple[int, ...]
    threads: tuple[int, ...]
    budget: float = 24.0
    limit: float = 96.0
    seed: int = 0
    maker: str = ""


def threads_of(text):
    """Return the thread counts, ascending, 1 among them."""
    if text is None:
        return list(nogil.default_threads())
    if ":" not in text:
        counts = {1, *(whole(part, "--threads") for part in text.split(","))}
    else:
        low, high = ends(text, "--threads")
        powers = {2**k for k in range(high.bit_length())}
        counts = {1, low, high, *(n for n in powers if low < n < high)}
    if not 1 < max(counts) <= 1024:
        raise UserError(
            f"--threads {text}: compared with one thread; "
            "give a larger count up to 1024, e.g. 1:4"
        )
    return sorted(counts)


def request_of(options):
    """Return the Request of the command's options, or raise UserError."""
    page = options.html
    if page and (page.is_dir() or not os.access(page.parent, os.W_OK)):
        raise UserError(
            f"--html {page}: no file can be written there; name another"
        )
    for name in ("budget", "limit"):
        value = getattr(options, name)
        if value is not None and not 0 < value < math.inf:
            raise UserError(f"--{name} {value:g}: give seconds above 0")
    return Request(
        options.function,
        tuple(sizes_of(options.sizes)),
        tuple(threads_of(options.threads)),
        options.budget,
        options.limit or max(60.0, 4 * options.budget),
        options.seed,
        options.arg or "",
    )
