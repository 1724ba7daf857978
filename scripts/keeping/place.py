"""Where a store lies: a folder, or what fsspec reaches by a URL.

A file is created whole or not at all, and never replaced.  What a place
refuses, whatever library says so, is one line.
"""

import contextlib
import errno
import os
import pathlib
import tempfile
import time

from onthefly.refused import Refused

STALE = 60  # seconds: no write of a file takes so long
# What a disk says that has no links, as some on a network.
NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
PART = ".part-"  # what begins so is a file that is being written


def opened(url):
    """Return the Place that a URL names; it need not exist yet.

    url  a folder, or protocol://…, as fsspec knows them

    Raises Refused for an unknown protocol, or one whose package is missing.
    """
    import fsspec
    from fsspec.implementations.local import LocalFileSystem

    if not url.strip():
        raise Refused("--store: no place named; name a folder, or a URL")
    try:
        # A listing that was kept would not show what another writer adds.
        system, root = fsspec.url_to_fs(url, use_listings_cache=False)
    except ImportError as error:
        said = _line(error).rstrip(".")
        raise Refused(
            f"{url}: a package is missing; {said}, or name a folder"
        ) from None
    except ValueError:
        raise Refused(
            f"{url}: no kind of place that fsspec knows; name a folder, or "
            "s3://…, gs://…"
        ) from None
    except Exception as error:
        raise _refused(url, error) from None
    if isinstance(system, LocalFileSystem):
        return Folder(root)
    return Remote(url, system, root)


def _line(error):
    return " ".join(str(error).split()) or type(error).__name__


def _refused(where, error):
    """Return the Refused that tells of an error of a library."""
    name = type(error).__name__
    return Refused(
        f"{where}: {name}: {_line(error)[:200]}; mend that, or name another "
        "place"
    )


class Folder:
    """A place that is a folder here."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def __str__(self):
        return str(self.root)

    def names(self, below=""):
        """Return the names of all files below a folder, sorted."""
        top = self.root / below
        if top.exists() and not top.is_dir():
            raise NotADirectoryError(
                errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(top)
            )
        return sorted(
            path.relative_to(self.root).as_posix()
            for path in top.rglob("*")
            if not path.name.startswith(PART) and path.is_file()
        )

    def read(self, names):
        """Return {name: its bytes, or None where it is missing}."""
        return {name: self._bytes(self.root / name) for name in names}

    @staticmethod
    def _bytes(path):
        with contextlib.suppress(FileNotFoundError):
            return path.read_bytes()
        return None

    def create(self, name, data):
        """Write a file that is not there yet; return whether it was not.

        It has its name only when it is whole and on the disk.
        """
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            return False
        self._sweep(path.parent)
        try:
            self._write(path, data)
        except FileExistsError:
            return False  # another writer was faster
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
        return True

    @staticmethod
    def _write(path, data):
        """Write a file aside, then give it its name, which nobody has."""
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=PART)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(part, 0o444)  # nobody is to write it again
            try:
                os.link(part, path)
            except OSError as error:
                if error.errno not in NO_LINKS:
                    raise
                # Who was faster wrote the same: names tell contents.
                os.replace(part, path)
        finally:
            pathlib.Path(part).unlink(missing_ok=True)

    @staticmethod
    def _sweep(folder):
        """Remove what killed writers have left."""
        for old in folder.glob(f"{PART}*"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - old.stat().st_mtime > STALE:
                    old.unlink()


class Remote:
    """A place that fsspec reaches, as a bucket: files come by one request."""

    def __init__(self, url, system, root):
        self.url, self.system = url.rstrip("/"), system
        self.root = root.rstrip("/")

    def __str__(self):
        return self.url

    def names(self, below=""):
        """Return the names of all files below a folder, sorted."""
        top = f"{self.root}/{below}".rstrip("/")
        with self._told(below):
            try:
                found = self.system.find(top)
            except FileNotFoundError:
                return []
        return sorted(name.removeprefix(f"{self.root}/") for name in found)

    def read(self, names):
        """Return {name: its bytes, or None where it is missing}."""
        paths = {f"{self.root}/{name}": name for name in names}
        if not paths:
            return {}
        with self._told():
            found = self.system.cat(list(paths), on_error="return")
        for path, data in found.items():
            if isinstance(data, FileNotFoundError):
                found[path] = None
            elif isinstance(data, Exception):
                raise _refused(f"{self.url}/{paths[path]}", data) from None
        return {name: found[path] for path, name in paths.items()}

    def create(self, name, data):
        """Write a file that is not there yet; return whether it was not.

        It is one request; where the place can, one that never replaces.
        """
        path = f"{self.root}/{name}"
        with self._told(name):
            try:
                try:
                    self.system.pipe_file(path, data, mode="create")
                except FileNotFoundError:  # it has real folders
                    self._make_folders(name)
                    self.system.pipe_file(path, data, mode="create")
            except FileExistsError:
                return False
        return True

    def _make_folders(self, name):
        """Make the folders of a file, and the store's own, one by one.

        What is first in a path is no folder but a bucket, or the top of a
        machine: a slip of the pen must not make one.
        """
        *between, _ = name.split("/")
        paths = [
            "/".join([self.root, *between[:k]])
            for k in range(len(between) + 1)
        ]
        for path in paths:
            if "/" in path.strip("/"):
                with contextlib.suppress(FileExistsError):
                    self.system.mkdir(path, create_parents=False)

    @contextlib.contextmanager
    def _told(self, name=""):
        """Let what any library raises become one line."""
        try:
            yield
        except Exception as error:
            where = f"{self.url}/{name}" if name else self.url
            raise _refused(where, error) from None
