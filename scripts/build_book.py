#!/usr/bin/env python3
"""Build the book from the executed chapters into _build/html.

The chapters are only rendered here: scripts/run.py executes them. The pages
are staged in _build/stage, built aside in _build/sphinx and put in the place
of _build/html when there was no warning, so that a failed build leaves the
last good book where it is.
"""

import argparse
import hashlib
import importlib.metadata
import json
import os
import pathlib
import shutil
import sys
import time

import yaml

from onthefly import results

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOLS = (
    "jupyter-book", "sphinx", "myst-nb", "sphinx-book-theme",
    "pydata-sphinx-theme", "sphinx-mathjax-offline", "sphinxcontrib-bibtex",
)  # fmt: skip
STAMP_KEYS = {
    "chapter", "preset", "device", "machine", "started", "duration_s",
    "fingerprint", "notebook_sha256",
}  # fmt: skip
# Prose and assets; the ledger and the results reach the pages as verdicts.
BOOK_FILES = ("*.md", "*.bib", "_static/**/*", "_ext/*.py")


class BookError(Exception):
    """Why the book cannot be built, in one line with the repair."""


def documents(toc):
    """Yield the documents that a parsed _toc.yml names, in its order."""
    if isinstance(toc, list):
        for item in toc:
            yield from documents(item)
    elif isinstance(toc, dict):
        yield from (toc[key] for key in ("root", "file") if key in toc)
        for value in toc.values():
            yield from documents(value)


def chapters(root):
    """Return the file stems of the chapters that root/_toc.yml names.

    Raises BookError where the file is missing or is not YAML.
    """
    path = root / "_toc.yml"
    try:
        toc = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BookError(f"{path}: {error.strerror}") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1
        raise BookError(
            f"{path}, line {line}: {error.problem}; repair the YAML"
        ) from None
    return [
        pathlib.PurePosixPath(name).stem
        for name in documents(toc)
        if name.startswith("notebooks/")
    ]


def stamp_of(build, chapter):
    """Return the stamp of a finished chapter.

    Raises BookError unless its notebook is there, whole, and the one that
    the stamp was written for.
    """
    notebook = build / "executed" / f"{chapter}.ipynb"
    path = notebook.with_suffix(".json")
    repair = f"run scripts/run.py {chapter}"
    try:
        stamp = json.loads(path.read_text(encoding="utf-8"))
        found = hashlib.sha256(notebook.read_bytes()).hexdigest()
    except FileNotFoundError as error:
        raise BookError(
            f"{chapter}: not finished, {error.filename} is missing; {repair}"
        ) from None
    except ValueError as error:
        raise BookError(f"{path}: not JSON ({error}); {repair}") from None
    keys = stamp.keys() if isinstance(stamp, dict) else set()
    if missing := ", ".join(sorted(STAMP_KEYS - keys)):
        raise BookError(f"{path}: no {missing} in it; {repair} --force")
    if not stamp["fingerprint"]:
        raise BookError(f"{chapter}: its last run did not end; {repair}")
    if stamp["notebook_sha256"] != found:
        raise BookError(
            f"{chapter}: {notebook} is not the notebook that was stamped; "
            f"{repair} --force"
        )
    return stamp


def sources(root, build, names):
    """Return {path in the stage: bytes} of prose, assets and chapters."""
    paths = [root / "_config.yml", root / "_toc.yml"]
    for pattern in BOOK_FILES:
        paths += [p for p in (root / "book").glob(pattern) if p.is_file()]
    files = {p.relative_to(root).as_posix(): p.read_bytes() for p in paths}
    for name in names:
        notebook = build / "executed" / f"{name}.ipynb"
        files[f"notebooks/{name}.ipynb"] = notebook.read_bytes()
    return files


def generated(stamps):
    """Return {path in the stage: bytes} of the pages made from the run.

    Raises BookError where the ledger or a results file cannot be read.
    """
    # Imported late: the ledger's schema library takes a second to load.
    import cost_page
    import status_page
    from onthefly.refused import Refused

    try:
        verdicts = status_page.judge(stamps)
    except (Refused, ValueError) as error:
        raise BookError(str(error)) from None
    return {
        "book/status.md": status_page.status(stamps, verdicts).encode(),
        "book/cost_model.md": cost_page.page(stamps).encode(),
        "book/tally.md": status_page.tally(stamps, verdicts).encode(),
        "book/presets.md": status_page.budgets().encode(),
    }


def record_files():
    """Return {path: bytes} of what the generated pages are made from."""
    lab = ROOT / "notebooks" / "onthefly"
    paths = [*(ROOT / "book").glob("claims.*"), *lab.glob("*.py")]
    paths += pathlib.Path(__file__).parent.glob("*.py")
    for folder in (results.results_dir(), results.RECORDED):
        paths += folder.glob("*/*.json")
    return {str(p): p.read_bytes() for p in paths}


def digest(files, *more):
    """Return a hash of {path: bytes} and of more JSON-ready things."""
    total = hashlib.sha256(json.dumps(more, sort_keys=True).encode())
    for name, data in sorted(files.items()):
        total.update(f"\n{name} {len(data)}\n".encode() + data)
    return total.hexdigest()


def digests(files, stamps):
    """Return {"frame", "pages"}: hashes of what a build depends on.

    The frame is what Sphinx does not follow from page to page: settings,
    table of contents and the tools' versions.
    """
    versions = {tool: importlib.metadata.version(tool) for tool in TOOLS}
    frame = {k: v for k, v in files.items() if "/" not in k}
    return {
        "frame": digest(frame, versions),
        "pages": digest({**files, **record_files()}, stamps),
    }


def stage(files, folder):
    """Make `folder` hold exactly `files`; leave what is unchanged alone.

    Sphinx reads again what is newer than its last reading.
    """
    for path in [p for p in folder.rglob("*") if p.is_file()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, data in files.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def render(source, output):
    """Run Jupyter Book on `source`; return True if there was no warning.

    What the last run read is read again only where it changed; every page
    is written again, as each holds the table of contents.
    """
    from jupyter_book.sphinx import build_sphinx

    result = build_sphinx(
        source,
        output,
        path_config=source / "_config.yml",
        noconfig=True,
        confoverrides={
            "external_toc_path": str(source / "_toc.yml"),
            "latex_individualpages": False,
            "nitpicky": True,
        },
        force_all=True,
        warningiserror=True,
        keep_going=True,
        quiet=True,
    )
    return result == 0


def publish(built, html):
    """Put a copy of `built` in the place of `html`."""
    fresh, old = (html.with_name(f"html.{part}") for part in ("new", "old"))
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    shutil.copytree(built, fresh)
    if html.exists():
        html.rename(old)
    fresh.rename(html)
    shutil.rmtree(old, ignore_errors=True)


def build_book(root, build, force=False):
    """Bring build/html up to date; return a line that says what was done.

    Returns None where Sphinx warned, after printing its warnings. Raises
    BookError where a chapter is unfinished.
    """
    start = time.monotonic()
    work, html = build / "sphinx", build / "html"
    index, record = html / "index.html", work / "inputs.json"
    os.environ["ONTHEFLY_BUILD"] = str(build)  # where the lab looks
    stamps = {name: stamp_of(build, name) for name in chapters(root)}
    files = sources(root, build, stamps)
    inputs = digests(files, stamps)
    last = json.loads(record.read_text()) if record.exists() else {}
    if last == inputs and index.exists() and not force:
        return f"book: unchanged, {index}"
    files.update(generated(stamps))
    if last.get("frame") != inputs["frame"] or force:
        shutil.rmtree(work, ignore_errors=True)
    # Without the record, the next build trusts nothing that is left of one
    # that fails or is stopped: a page that was read warns only once.
    record.unlink(missing_ok=True)
    stage(files, build / "stage")
    if not render(build / "stage", work / "html"):
        return None
    publish(work / "html", html)
    record.write_text(json.dumps(inputs))
    return f"book: built in {time.monotonic() - start:.1f} s, {index}"


def main(argv=None):
    """Build the book; return 0, 1 (Sphinx warned) or 2 (cannot build)."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    default = os.environ.get("ONTHEFLY_BUILD", ROOT / "_build")
    parser.add_argument(
        "--build", type=pathlib.Path, default=default, metavar="DIR",
        help="folder of generated files (default: _build)",
    )  # fmt: skip
    parser.add_argument(
        "--root", type=pathlib.Path, default=ROOT, metavar="DIR",
        help="folder of _config.yml, _toc.yml and book/ (default: this one)",
    )  # fmt: skip
    parser.add_argument(
        "--force", action="store_true", help="build all pages anew"
    )
    options = parser.parse_args(argv)
    build = options.build.resolve()
    try:
        done = build_book(options.root.resolve(), build, options.force)
    except BookError as error:
        print(f"build_book: {error}", file=sys.stderr)
        return 2
    if done is None:
        print(
            "build_book: not built, for the warnings or errors above; "
            f"{build / 'html'} is left as it was",
            file=sys.stderr,
        )
        return 1
    print(done)
    return 0


if __name__ == "__main__":
    sys.exit(main())
