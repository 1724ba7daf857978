"""Servables, loaders and a manager: what TensorFlow Serving is made of.

A folder holds one subfolder a version, named by its number.  Knows no
library: a loader is any function from a subfolder to a function.
Source: TensorFlow Serving's architecture,
https://www.tensorflow.org/tfx/serving/architecture
"""

import contextlib
import threading
from pathlib import Path


class Servable:
    """One version of a model, while it is in memory.

    version  its number
    call     the model: images to scores
    """

    def __init__(self, version, call):
        self.version, self.call = version, call
        self.users = 0  # calls under way


class Manager:
    """It decides which versions are in memory, and who answers.

    folder  of the versions
    load    the loader: path of a version to its function

    A version that appears is loaded before the newest changes; one whose
    subfolder is gone gets no new calls, and is let go after its last.
    """

    def __init__(self, folder, load):
        self._folder, self._load = Path(folder), load
        self._lock = threading.Condition()
        self._servables, self.failed = {}, {}

    def versions(self):
        """Return the numbers of the versions in memory, ascending."""
        with self._lock:
            return sorted(self._servables)

    def refresh(self):
        """Look at the folder: load what is new, let go what is gone."""
        there = {
            int(path.name): path
            for path in self._folder.iterdir()
            if path.name.isdigit()
        }
        for version in sorted(there.keys() - {*self.versions()}):
            if version not in self.failed:
                self._add(version, there[version])
        for version in self.versions():
            if version not in there:
                self._remove(version)

    def _add(self, version, path):
        try:
            servable = Servable(version, self._load(path))
        except Exception as error:  # whatever a broken model raises
            self.failed[version] = f"{type(error).__name__}: {error}"
            return
        with self._lock:
            self._servables[version] = servable

    def _remove(self, version):
        with self._lock:
            servable = self._servables.pop(version)
            self._lock.wait_for(lambda: not servable.users)

    @contextlib.contextmanager
    def using(self, version=0):
        """Hold a version while it is used; 0 is the newest.

        Yields the Servable.  Raises KeyError for one that is not in memory.
        """
        with self._lock:
            number = version or max(self._servables, default=0)
            servable = self._servables[number]
            servable.users += 1
        try:
            yield servable
        finally:
            with self._lock:
                servable.users -= 1
                self._lock.notify_all()

    def watch(self, every, ended):
        """Refresh again and again until an Event is set.

        every  seconds between two looks
        """
        while not ended.wait(every):
            self.refresh()
