"""What a page is made from: the parts of its key in the cache.

A key is a dict, JSON-ready.  Some of its parts are one value, others
{name: hash} of the files that the page's last run used::

    cells       of its notebook, without their outputs
    lab         the lab's files: modules, programs of other processes, C
    read        other files of the project
    recorded    slugs whose recorded results and examples it looked for
    missing     libraries for want of which it left something out, and whether
                they are here by now
    claims      what the ledger holds for its cards
    locks       the lock files
    parameters  preset, device, seed and its own
    machine     the name of the one that ran it
    python      the interpreter

The parts stay apart, so that it can be told which one changed.  What a run
uses is known after it; so a page's key before a run has the names of its
last run, with the hashes of today.
"""

import functools
import hashlib
import json
import platform
import sys

from commandline import first
from onthefly import claims, files, results
from onthefly.errors import UserError
from onthefly.experiments.then import environments
from onthefly.libraries import LIBRARIES
from onthefly.provenance import file_hash
from reading import notebooks, stamps

THEN = "experiments/then/environments.py"  # who asks them uses it
RECORDED = ("data", "results")  # folders of book/
WHOLE = "*"  # stands for all files of the lab


def digest(data):
    """Return the hash of JSON-ready data."""
    text = json.dumps(data, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


class Sources:
    """The files that pages are made from, as they are at the start.

    root  the project: its ledger, recorded data, lock files
    lab   the folder of the lab that the chapters import

    The lab, the recorded results and the lock files are hashed at once: one
    that is edited while its page runs is to count as changed after it.
    """

    def __init__(self, root, lab):
        self.root, self.ledger = root, root / "book" / "claims.yml"
        self._lab = {
            path.relative_to(lab).as_posix(): file_hash(path)
            for path in sorted(lab.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }
        self._recorded = {}  # {slug: {path: hash}}
        for kind in RECORDED:
            for path in sorted(root.glob(f"book/{kind}/*/*.json")):
                hashes = self._recorded.setdefault(path.stem, {})
                hashes[path] = file_hash(path)
        self._locks = {
            path.name: file_hash(path)
            for path in sorted(root.glob("requirements*.lock"))
        }

    def everything(self):
        """Return {part: {name: hash}} of all files, whoever uses them."""
        recorded = {
            path.relative_to(self.root).as_posix(): hash_
            for hashes in self._recorded.values()
            for path, hash_ in hashes.items()
        }
        book = recorded | {self.ledger.name: file_hash(self.ledger)}
        return {"lab": self._lab, "book": book, "locks": self._locks}

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
                # No card shows the cause.
                shown = {k: v for k, v in entry.items() if k != "cause"}
                card = [shown, data["sources"].get(entry["source"])]
                of.setdefault(entry["chapter"], []).append(card)
        except (KeyError, TypeError, AttributeError):
            claims.load(self.ledger)
            raise
        return of

    def hashes(self, part, names):
        """Return {name: hash} of a part of the key; "" for what is gone."""
        of = {
            "lab": self._in_lab,
            "read": self._read,
            "recorded": self._held,
            "missing": _presence,
        }
        return {name: of[part](name) for name in sorted(names)}

    def _in_lab(self, name):
        return digest(self._lab) if name == WHOLE else self._lab.get(name, "")

    def _read(self, name):
        return file_hash(self.root / name)

    def _held(self, slug):
        hashes = self._recorded.get(slug, {})
        return digest([[*p.parts[-3:-1], h] for p, h in hashes.items()])

    def key(self, chapter, parameters, used, machine):
        """Return a chapter's key.

        parameters  {name: value}, all of them
        used        {part: names}, as `used_by` or `names_in` returns it
        machine     name of the one that runs it
        """
        cells = [
            [cell["cell_type"], cell["source"], notebooks.tags(cell)]
            for cell in chapter.cells
        ]
        then = {"then": _made()} if THEN in used["lab"] else {}
        return {
            "cells": digest(cells),
            **then,
            **{part: self.hashes(part, used[part]) for part in used},
            "claims": digest(self._ledger.get(chapter.slug, [])),
            "locks": dict(self._locks),
            "parameters": {k: repr(v) for k, v in parameters.items()},
            "machine": machine,
            "python": f"{platform.python_implementation()} {sys.version}",
        }


def _made():
    """Return {environment of then: "here"} of those that are made."""
    pythons = environments.folder("").glob("*/bin/python")
    return {path.parts[-3]: "here" for path in sorted(pythons)}


def _presence(name):
    """Return "here" for a library, by its name in a sentence; or ""."""
    found = (x for x in LIBRARIES.values() if x.name == name)
    return "here" if any(library.here() for library in found) else ""


def used_by(slug, path):
    """Return {part: names} of what the run that wrote its results used.

    path  of the results file; where it does not tell, the run may have used
          all of the lab
    """
    try:
        own = results.load(path)
    except UserError:
        return {"lab": [WHOLE], "read": [], "recorded": [slug], "missing": []}
    return {
        "lab": list(own.lab) or [WHOLE],
        "read": list(own.read),
        "recorded": sorted({slug, *own.drawn}),
        "missing": list(own.missing),
    }


def names_in(key):
    """Return {part: names} of a stamp's key."""
    return {part: list(key[part]) for part in stamps.USED}


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
