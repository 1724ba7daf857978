"""Where the package lies, what it reads, and where it puts what it builds."""

import os
import pathlib

PACKAGE = pathlib.Path(__file__).resolve().parent


def _checkout():
    root = PACKAGE.parents[1]
    return root if (root / "book/claims.yml").is_file() else None


CHECKOUT = _checkout()  # the book's folder, or None where it is installed
# What machines measured: the book's, or the few pages that are shipped.
RECORDED = (CHECKOUT / "book" if CHECKOUT else PACKAGE / "recorded") / "data"


def build_dir():
    """Return the folder of generated files.

    ONTHEFLY_BUILD; else ``_build`` of the book's checkout, or where the
    package is installed, the user's cache.
    """
    if named := os.environ.get("ONTHEFLY_BUILD", "").strip():
        return pathlib.Path(named)
    if CHECKOUT:
        return CHECKOUT / "_build"
    cache = os.environ.get("XDG_CACHE_HOME", "").strip()
    return pathlib.Path(cache or pathlib.Path.home() / ".cache") / "onthefly"


def results_dir():
    """Return where this machine's conclusions go (ONTHEFLY_RESULTS)."""
    named = os.environ.get("ONTHEFLY_RESULTS", "").strip()
    return pathlib.Path(named or build_dir() / "results")


def home():
    """Return a folder of the package, where no other package lies.

    An installed one lies among the libraries of its interpreter, which
    another interpreter, or another version of one, must not find.
    """
    if CHECKOUT:
        return PACKAGE.parent
    link = build_dir() / "package" / PACKAGE.name
    if link.resolve() != PACKAGE:
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(PACKAGE)
    return link.parent
