"""The key of a page in the cache: the parts that it is made from.

A key is a dict, JSON-ready.  Some of its parts are one value, others
{name: hash}::

    cells       of its notebook, without their outputs
    module      the module beside it
    files       the package's files that both rest on: see `dependencies`
    read        what the package reads beside its own files
    recorded    what was recorded for it, and for pages whose measurements it
                takes
    libraries   which of the libraries that may be missing are here
    claims      what the ledger holds for its table
    locks       the lock files
    parameters  preset, device, seed and its own
    machine     the name of the one that ran it
    python      the interpreter
    then        which environments of the talks' own software are made

The parts stay apart, so that it can be told which one changed.
"""

import functools
import hashlib
import json
import platform
import sys

from commandline import first
from onthefly import files
from onthefly.experiments.then import environments
from onthefly.measure.libraries import LIBRARIES
from onthefly.page import claims, dependencies
from onthefly.page.checkout import file_hash, module_beside
from reading import notebooks

RECORDED = ("data", "results")  # folders of book/
READ = (  # by experiments
    "book/history/*",
    "book/instructions.json",
    "book/testu01.json",
)


def digest(data):
    """Return the hash of JSON-ready data."""
    text = json.dumps(data, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


class Sources:
    """The files that pages are made from, as they are at the start.

    root  the project: its ledger, recorded data, lock files
    lab   the folder of the package that the pages import

    They are hashed at once: one that is edited while its page runs is to
    count as changed after it.
    """

    def __init__(self, root, lab):
        self.root, self.ledger = root, root / "book" / "claims.yml"
        self.package = dependencies.Package(lab)
        self._files = self.package.digests(self.package.files)
        self._recorded = {}  # {slug: {path: hash}}
        for kind in RECORDED:
            for path in sorted(root.glob(f"book/{kind}/*/*.json")):
                hashes = self._recorded.setdefault(path.stem, {})
                hashes[path] = file_hash(path)
        self._locks = self._hashes("requirements*.lock")
        self._read = self._hashes(*READ)

    def _hashes(self, *patterns):
        paths = [p for each in patterns for p in sorted(self.root.glob(each))]
        return {
            path.relative_to(self.root).as_posix(): file_hash(path)
            for path in paths
        }

    def everything(self):
        """Return {part: {name: hash}} of all files, whoever uses them."""
        recorded = {
            path.relative_to(self.root).as_posix(): hash_
            for hashes in self._recorded.values()
            for path, hash_ in hashes.items()
        }
        book = recorded | {self.ledger.name: file_hash(self.ledger)}
        return {"files": self._files, "book": book, "locks": self._locks}

    def needs(self, slug):
        """Return what a chapter's claims need, as the ledger names it."""
        claims_ = [claim for claim, _ in self._ledger.get(slug, [])]
        return {need for claim in claims_ for need in claim["needs"]}

    def held(self, slug):
        """Return the paths of what was recorded for a chapter."""
        return list(self._recorded.get(slug, {}))

    @functools.cached_property
    def _ledger(self):
        """What the ledger's file holds: {"claims": [...], "sources": ...}."""
        # The ledger's own check loads for seconds.  It is made before
        # anything runs; here it only serves to name a fault.
        try:
            data = files.yaml_data(self.ledger)
            of = {}
            for entry in data["claims"]:
                # No table shows the cause.
                shown = {k: v for k, v in entry.items() if k != "cause"}
                row = [shown, data["sources"].get(entry["source"])]
                of.setdefault(entry["chapter"], []).append(row)
        except (KeyError, TypeError, AttributeError):
            claims.load(self.ledger)
            raise
        return of

    def _of_record(self, slug):
        hashes = self._recorded.get(slug, {})
        return digest([[*p.parts[-3:-1], h] for p, h in hashes.items()])

    def key(self, chapter, parameters, machine):
        """Return a chapter's key.

        parameters  {name: value}, all of them
        machine     name of the one that runs it
        """
        cells = [
            [cell["cell_type"], cell["source"], notebooks.tags(cell)]
            for cell in chapter.cells
        ]
        rests = dependencies.files_of_page(chapter.sources, self.package)
        slugs = sorted({chapter.slug, *chapter.lenders})
        return {
            "cells": digest(cells),
            "module": file_hash(module_beside(chapter.path)),
            "files": rests,
            "read": self._read,
            "recorded": {slug: self._of_record(slug) for slug in slugs},
            "libraries": _present(),
            "claims": digest(self._ledger.get(chapter.slug, [])),
            "locks": self._locks,
            "parameters": {k: repr(v) for k, v in parameters.items()},
            "machine": machine,
            "python": f"{platform.python_implementation()} {sys.version}",
            "then": _made(),
        }


def _made():
    """Return {environment of then: "here"} of those that are made."""
    pythons = environments.folder("").glob("*/bin/python")
    return {path.parts[-3]: "here" for path in sorted(pythons)}


def _present():
    """Return {library: "here"} of the table's libraries that are here."""
    return {x.name: "here" for x in LIBRARIES.values() if x.here()}


def changes(old, new):
    """Return what differs between two keys: words for each part."""
    return [
        words
        for part in new
        if old.get(part) != new[part]
        for words in [_changed(part, old.get(part), new[part])]
    ]


def _changed(part, old, new):
    """Return the part's name, and the names in it that changed."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return part
    names = sorted(k for k in old | new if old.get(k) != new.get(k))
    return f"{part} {first(names)}"
