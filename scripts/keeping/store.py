"""The store of runs: results files by their content, and an index of them.

::

    store.json                        what this is, and its format
    objects/ab/cdef….json             a results file, named by its SHA-256
    index/PAGE/MACHINE/TIME-….json    an entry that tells whose it is

Files are only ever added, the object before its entry, so that several
writers need no lock, and one that is killed leaves at most an object without
an entry, which the next try completes.  What is damaged is named and left
out, never deleted.
"""

import json
import os

from keeping import entry as index
from keeping import place as places
from keeping.entry import Entry
from onthefly.refused import Refused

FORMAT = 1
MARK = "store.json"
ABOUT = json.dumps({"store of": "onthefly", "format": FORMAT}) + "\n"


def named():
    """Return the store that ONTHEFLY_STORE names, "" for none."""
    return os.environ.get("ONTHEFLY_STORE", "").strip()


def path_of(digest):
    """Return where the object of a digest lies in a store."""
    return f"objects/{digest[:2]}/{digest[2:]}.json"


class Store:
    """A store at a URL, or in a folder.

    create  whether to begin one where none is

    Raises Refused, in one line, for a place that cannot be reached, that is
    no store, or one of another version.
    """

    def __init__(self, url, create=False):
        self.place = places.opened(url)
        mark = self._mark()
        if mark is None and create:
            mark = self._begin()
        if mark is None:
            raise Refused(
                f"{self.place}: no store there ({MARK} is missing); "
                "scripts/run.py --store or scripts/history.py add begins one"
            )
        if mark != ABOUT.encode():
            raise Refused(
                f"{self.place}/{MARK}: damaged, or of another version than "
                f"{FORMAT}; restore it, or name another store"
            )
        if create:
            self._check_writable()

    def _mark(self):
        return self.place.read([MARK])[MARK]

    def _begin(self):
        """Put the mark into an empty place; return it."""
        others = self.place.names()
        # Another writer may have begun it: its mark came before all else.
        if others and self._mark() is None:
            raise Refused(
                f"{self.place}: no store, and not empty ({others[0]}); "
                "name an empty folder, or one that is not there yet"
            )
        self.place.create(MARK, ABOUT.encode())
        return self._mark()

    def _check_writable(self):
        """Refuse a folder here that takes no new files."""
        root = getattr(self.place, "root", "")
        if os.path.isdir(root) and not os.access(root, os.W_OK | os.X_OK):
            raise Refused(
                f"{self.place}: not writable; make it so, or name another "
                "place"
            )

    def put(self, path, commit=""):
        """Keep the results file at `path`; return whether it is new.

        commit  as of an Entry

        It may be put at any time after it was finished, by any number of
        writers at once.  Raises Refused for what is no results file, a
        place that refuses, or where what is kept of it is damaged.
        """
        entry, data = index.of_file(path, commit)
        name = path_of(entry.digest)
        if not self.place.create(name, data):
            self._whole(name, entry.digest)
        if known := self._known(entry):
            return not known
        return self.place.create(entry.name, entry.text().encode())

    def _known(self, entry):
        """Tell whether an entry is there; raise Refused if damaged."""
        data = self.place.read([entry.name])[entry.name]
        if data is not None:
            index.parse(entry.name, data, self.place)
        return data is not None

    def _whole(self, name, digest):
        """Return the bytes of an object; raise Refused if it is damaged."""
        data = self.place.read([name])[name]
        where = f"{self.place}/{name}"
        if data is None:
            raise Refused(f"{where}: missing; add the run again")
        if index.digest(data) != digest:
            raise Refused(f"{where}: damaged; {index.AGAIN}")
        return data

    def entries(self):
        """Return (Entries in the order of their runs, lines of faults)."""
        found, faults = [], []
        for name, data in self.place.read(self.names()).items():
            try:
                if data is None:
                    raise Refused(f"{self.place}/{name}: gone; list again")
                found.append(index.parse(name, data, self.place))
            except Refused as error:
                faults.append(str(error))
        found.sort(key=lambda e: (e.moment, e.page, e.machine, e.digest))
        return found, faults

    def names(self):
        """Return the names of all entries; equal ones hold the same."""
        return [
            name
            for name in self.place.names(index.FOLDER)
            if index.NAME.fullmatch(name)
        ]

    def read(self, entry: Entry):
        """Return the bytes of an entry's results file.

        Raises Refused where it is missing or damaged.
        """
        return self._whole(path_of(entry.digest), entry.digest)

    def check(self):
        """Read all; return (how many are whole, lines of faults)."""
        entries, faults = self.entries()
        for entry in entries:
            try:
                self.read(entry)
            except Refused as error:
                faults.append(str(error))
        whole = {path_of(entry.digest) for entry in entries}
        faults += [
            f"{self.place}/{name}: without an entry, as a killed writer "
            "leaves it; add the run again"
            for name in self.place.names("objects")
            if name not in whole
        ]
        return len(entries), faults
