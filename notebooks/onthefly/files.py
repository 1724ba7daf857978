"""Files, read and written whole or not at all.

What is read is text, JSON or YAML, or one line that says where it is not:
`UserError` where a file cannot be read, `CorruptFile` where it does not hold
what it should.  A number that is none, or that no float holds, and a key that
stands twice in one place, count as that: a reader would drop the first.
"""

import contextlib
import functools
import glob
import itertools
import json
import math
import os
import pathlib
import re
import tempfile
import time

from onthefly.errors import CorruptFile, UserError, from_system

MEND = "mend it there (a merge conflict?), or restore it with git"
STALE = 60  # seconds: no write of this book takes so long


def write(path, data):
    """Write text or bytes, so that a reader sees the old file or the new.

    What a writer that was killed has left beside it is removed.  Raises
    OSError, which names `path`, and leaves the old file.
    """
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        _sweep(path)
        _replace(path, data.encode() if isinstance(data, str) else data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _replace(path, data):
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, 0o644)  # mkstemp makes it private
        os.replace(name, path)
    except BaseException:
        pathlib.Path(name).unlink(missing_ok=True)
        raise


def _sweep(path):
    """Remove what killed writers of `path` have left."""
    for old in path.parent.glob(f".{glob.escape(path.name)}." + 8 * "?"):
        with contextlib.suppress(FileNotFoundError):  # it has just ended
            if time.time() - old.stat().st_mtime > STALE:
                old.unlink()


def set_aside(path):
    """Move a broken file out of the way, as ….broken; return that path.

    What was set aside before stays: the next one is ….broken-2.
    """
    numbers = itertools.chain([""], map("-{}".format, itertools.count(2)))
    names = (path.with_name(f"{path.name}.broken{n}") for n in numbers)
    aside = next(name for name in names if not name.exists())
    os.replace(path, aside)
    return aside


def text(path, name=None):
    """Return the text of the file at `path`.

    `name` is what a message calls it; by default its path.  Raises UserError
    where it cannot be read, CorruptFile where it is not UTF-8.
    """
    name = name or path
    path = pathlib.Path(path)
    if path.is_fifo() and path.parts[1:2] != ("dev",):  # <(…) is in /dev/fd
        raise UserError(f"{name}: a pipe, which nobody fills; remove it")
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise from_system(error, name) from None
    except UnicodeDecodeError as error:
        raise CorruptFile(
            f"{name}: byte {error.start}: not UTF-8",
            "save it as UTF-8, or restore it with git",
        ) from None


def json_data(path, name=None):
    """Return what the JSON file at `path` holds.

    `name` is as in `text`.  Raises UserError, or CorruptFile where it is no
    JSON.
    """
    name, content = name or path, text(path, name)
    try:
        data = json.loads(
            content,
            object_pairs_hook=_once,
            parse_constant=_finite,
            parse_float=_finite,
            parse_int=_whole,
        )
        if re.search(r"\\ud[89a-f]", content, re.I):  # half a character
            json.dumps(data, ensure_ascii=False).encode()
        return data
    except json.JSONDecodeError as error:
        raise CorruptFile(
            f"{name}: line {error.lineno}, column {error.colno}: not JSON "
            f"({error.msg})",
            MEND,
        ) from None
    except (ValueError, RecursionError) as error:
        fault = f"{name}: not readable as JSON ({error})"
        raise CorruptFile(fault, MEND) from None


def _once(pairs):
    """Return the dict of pairs whose keys differ."""
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {twice!r} stands twice")
    return data


def _finite(text):
    """Return the number that a text means, where a float holds it."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text} is none, or too large")
    return value


def _whole(text):
    _finite(text)
    return int(text)


def yaml_data(path):
    """Return what the YAML file at `path` holds.

    Raises UserError, or CorruptFile where it is no YAML.
    """
    import yaml

    content = text(path)
    try:
        return yaml.load(content, Loader=_loader())
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        what = getattr(error, "problem", None) or str(error)
        line = " ".join(str(what).split())
        raise CorruptFile(
            f"{path}: {place}not YAML ({line[:200]})", MEND
        ) from None


@functools.cache
def _loader():
    """Return the loader of YAML as it is read here."""
    import yaml

    # The C parser where PyYAML has it: as safe, and ten times faster.
    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        def construct_mapping(self, node, deep=False):
            seen = set()
            plain = (k for k, _ in node.value if k.id == "scalar")
            for key in plain:
                if (key.tag, key.value) in seen:
                    raise self.wrong(key, f"key {key.value!r} stands twice")
                seen.add((key.tag, key.value))
            return super().construct_mapping(node, deep)

        def number(self, node):
            kind = node.tag.rpartition(":")[2]
            try:
                value = getattr(super(), f"construct_yaml_{kind}")(node)
                _finite(value)
            except (ValueError, OverflowError):
                what = f"{node.value!r} is no number, or too large"
                raise self.wrong(node, what) from None
            return value

        def wrong(self, node, what):
            return yaml.constructor.ConstructorError(
                None, None, what, node.start_mark
            )

    for kind in ("int", "float"):
        Loader.add_constructor(f"tag:yaml.org,2002:{kind}", Loader.number)
    return Loader


def breach(data, path):
    """Return the first breach of the JSON schema at `path`, or "".

    It reads ``place: what is wrong``, the place as keys with slashes.
    """
    import fastjsonschema

    try:
        _checker(path)(data)
    except fastjsonschema.JsonSchemaValueException as error:
        what = error.message.removeprefix(error.name).strip()
        place = "/".join(error.path[1:]) or "the top level"
        return f"{place}: {what}"
    return ""


@functools.cache
def _checker(path):
    import fastjsonschema

    return fastjsonschema.compile(json_data(path))
