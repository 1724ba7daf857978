"""Extensions that worked programs build, and keep.

One is kept in _build until what it was made from, the interpreter or the
machine is another one, and so are the seconds that its build took.
"""

import hashlib
import json
import pathlib
import sys
import tempfile

from onthefly import files, folders
from onthefly.measure import machine


def kept(kind, stem, parts, build):
    """Return (path, seconds) of an extension; builds it where none is kept.

    kind   the folder's name
    stem   the extension's name
    parts  texts that it is made from
    build  function of a folder that returns (seconds, path)
    """
    own = (*parts, sys.version, machine.identity())
    key = hashlib.sha256("\0".join(own).encode()).hexdigest()[:16]
    path = folders.build_dir() / kind / key / f"{stem}.so"
    took = path.with_name("seconds.json")
    if not path.exists() or not took.exists():
        with tempfile.TemporaryDirectory(prefix=kind) as folder:
            seconds, made = build(folder)
            files.write(took, json.dumps(seconds))
            files.write(path, pathlib.Path(made).read_bytes())
    return path, json.loads(files.text(took))
