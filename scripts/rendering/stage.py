"""The tree that Sphinx reads, and the hash of all that goes into it."""

import hashlib
import importlib.metadata
import json

from commandline import ROOT
from onthefly import files, results

TOOLS = (
    "jupyter-book", "sphinx", "myst-nb", "sphinx-book-theme",
    "pydata-sphinx-theme", "sphinx-exercise", "sphinx-mathjax-offline",
    "sphinxcontrib-bibtex",
)  # fmt: skip
# Prose and assets; the ledger and the results reach the pages as verdicts.
BOOK_FILES = ("*.md", "*.bib", "_static/**/*", "_ext/*.py")
# What the generated pages are made from, beside results: ledger and code.
MADE_FROM = (
    "book/claims.*",
    "book/regression.json",
    "notebooks/onthefly/*.py",
    "notebooks/onthefly/*.mplstyle",
    "notebooks/onthefly/experiments/choice/*.py",
    "scripts/rendering/**/*.py",
    "scripts/choosing/*.py",
    "scripts/keeping/*.py",
    "scripts/comparing/*.py",
    "scripts/sweeping/*.py",
    "book/sweeps/*/*.json",
)


def sources(root, build, chapters):
    """Return {path in the stage: bytes} of prose, assets and chapters.

    chapters  stems of the executed notebooks
    """
    paths = [root / "_config.yml", root / "_toc.yml"]
    for pattern in BOOK_FILES:
        paths += [p for p in (root / "book").glob(pattern) if p.is_file()]
    files = {p.relative_to(root).as_posix(): p.read_bytes() for p in paths}
    for name in chapters:
        notebook = build / "executed" / f"{name}.ipynb"
        files[f"notebooks/{name}.ipynb"] = notebook.read_bytes()
    return files


def _record():
    """Return {path: bytes} of what the generated pages are made from."""
    paths = [p for pattern in MADE_FROM for p in ROOT.glob(pattern)]
    for folder in (results.results_dir(), results.RECORDED):
        paths += folder.glob("*/*.json")
    return {str(p): p.read_bytes() for p in paths}


def _digest(files, *more):
    """Return a hash of {path: bytes} and of more JSON-ready things."""
    total = hashlib.sha256(json.dumps(more, sort_keys=True).encode())
    for name, data in sorted(files.items()):
        total.update(f"\n{name} {len(data)}\n".encode() + data)
    return total.hexdigest()


def digests(files, stamps, kept):
    """Return {"frame", "pages"}: hashes of what a build depends on.

    kept  names of the runs in a store, which stand for their contents

    The frame is what Sphinx does not follow from page to page: settings,
    table of contents, its extensions and the tools' versions.
    """
    versions = {tool: importlib.metadata.version(tool) for tool in TOOLS}
    frame = {
        name: data
        for name, data in files.items()
        if "/" not in name or name.startswith("book/_ext/")
    }
    return {
        "frame": _digest(frame, versions),
        "pages": _digest({**files, **_record()}, stamps, kept),
    }


def write(wanted, folder):
    """Make `folder` hold exactly `wanted`; leave what is unchanged alone.

    Sphinx reads again what is newer than its last reading.
    """
    for path in [p for p in folder.rglob("*") if p.is_file()]:
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, data in wanted.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != data:
            files.write(path, data)
