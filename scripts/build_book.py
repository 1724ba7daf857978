#!/usr/bin/env python3
"""Build the book from the executed chapters into _build/html.

The chapters are only rendered here: scripts/run.py executes them. The pages
are staged in _build/stage, built aside in _build/sphinx and put in the place
of _build/html when there was no warning, so that a failed build leaves the
last good book where it is.  In the place of a chapter that did not run to its
end stands a page that says why.

Exit status: 0 built or unchanged, 1 Sphinx warned or a chapter is missing,
2 the book cannot be built.
"""

import json
import os
import shutil
import sys
import time

from commandline import ROOT, Parser, command, folder
from onthefly import files, folders
from onthefly.errors import CorruptFile
from onthefly.terminal import lock
from reading import toc
from rendering import front, pages, plain, sphinx, stage

RECORD = {"inputs", "written"}  # of the last build


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__, whole=True)
    parser.add_argument(
        "--build", type=folder, default=folders.build_dir(), metavar="DIR",
        help="folder of generated files (default: _build)",
    )  # fmt: skip
    parser.add_argument(
        "--root", type=folder, default=ROOT, metavar="DIR",
        help="folder of _config.yml, _toc.yml and book/ (default: this one)",
    )  # fmt: skip
    parser.add_argument(
        "--notebooks", type=folder, metavar="DIR",
        help="write there the pages as notebooks to take away, and no book",
    )  # fmt: skip
    parser.add_argument(
        "--force", action="store_true", help="build all pages anew"
    )
    return parser.parse_args(argv)


def last_inputs(record, index):
    """Return what the last build was made from, {} unless it is still there.

    A build by hand (jupyter-book build .) writes another index.  A broken
    record is set aside.
    """
    if not (record.exists() and index.exists()):
        return {}
    try:
        last = files.json_data(record)
        if not (isinstance(last, dict) and last.keys() >= RECORD):
            raise CorruptFile(f"{record}: no record of a build", "")
    except CorruptFile as error:
        aside = files.set_aside(record)
        print(f"book: {error.fault}; set aside as {aside.name}")
        return {}
    same = last["written"] == index.stat().st_mtime_ns
    return last["inputs"] if same else {}


def build_book(root, build, force=False):
    """Bring build/html up to date; return what was done, and what is missing.

    A line, and {chapter: why it is missing}.  The line is None where Sphinx
    warned, after printing its warnings. Raises UserError where no chapter is
    finished or a file cannot be read.
    """
    start = time.monotonic()
    work, html = build / "sphinx", build / "html"
    index, record = html / "index.html", work / "inputs.json"
    os.environ["ONTHEFLY_BUILD"] = str(build)  # where the lab looks
    sphinx.check_settings(root)
    runs, missing = stage.runs(root, build, toc.written(root))
    inputs = stage.inputs(root, build, runs) | missing
    last = {} if force else last_inputs(record, index)
    if last == inputs:
        return f"book: unchanged, {index}", missing
    from rendering.copy import Copy  # it loads for a second

    texts = pages.written(Copy(runs, root), toc.documents(root))
    staged = stage.sources(root, build, runs)
    staged.update({name: text.encode() for name, text in texts.items()})
    for name in missing:
        page = stage.placeholder(root, name)
        staged[f"{toc.FOLDER}{name}.ipynb"] = page
    if stage.frame(root, last) != stage.frame(root, inputs):
        shutil.rmtree(work, ignore_errors=True)
    # Without the record, the next build trusts nothing that is left of one
    # that fails or is stopped: a page that was read warns only once.
    record.unlink(missing_ok=True)
    stage.write(staged, build / "stage")
    if not sphinx.render(build / "stage", work / "html"):
        return None, missing
    front.write(work / "html")
    sphinx.publish(work / "html", html)
    # In the place of what Sphinx copied: the download button offers these.
    plain.write(runs, build, root, html / "_sources" / toc.FOLDER)
    done = {"inputs": inputs, "written": index.stat().st_mtime_ns}
    files.write(record, json.dumps(done, indent=1))
    line = f"book: built in {time.monotonic() - start:.1f} s, {index}"
    return line, missing


@command
def main(argv=None):
    """Build the book; return 0, or 1 where Sphinx warned."""
    options = parse(argv)
    build = options.build.resolve()
    root = options.root.resolve()
    if options.notebooks:
        names = toc.written(root)
        for name in names:
            stage.stamp_of(root, build, name)
        plain.write(names, build, root, options.notebooks)
        print(f"book: {len(names)} notebooks in {options.notebooks}")
        return 0
    with lock.alone(build, ".book-lock"):
        done, missing = build_book(root, build, options.force)
    if done is None:
        print(
            "build_book: not built, for the warnings or errors above; "
            f"{build / 'html'} is left as it was",
            file=sys.stderr,
        )
        return 1
    print(done)
    for name, fault in missing.items():
        print(f"book: without {name}: {fault}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
