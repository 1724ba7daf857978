"""Text and JSON from a file, or one line that says where it is broken."""

import json

from onthefly.refused import Refused


def text(path, name=None):
    """Return the text of the file at `path`.

    `name` is what a message calls it; by default its path.  Raises Refused
    where it cannot be read or is not UTF-8.
    """
    name = name or path
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise Refused(
            f"{name}: {error.strerror}; name a file that can be read"
        ) from None
    except UnicodeDecodeError as error:
        raise Refused(
            f"{name}: byte {error.start}: not UTF-8; save it as UTF-8, or "
            "restore it with git"
        ) from None


def json_data(path, name=None):
    """Return what the JSON file at `path` holds.

    `name` is as in `text`.  Raises Refused where it is not JSON, too.
    """
    name, content = name or path, text(path, name)
    mend = "mend it there (a merge conflict?), or restore it with git"
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        raise Refused(
            f"{name}: line {error.lineno}, column {error.colno}: not JSON "
            f"({error.msg}); {mend}"
        ) from None
    except (ValueError, RecursionError) as error:
        # A number of too many digits, or brackets in brackets in brackets.
        raise Refused(
            f"{name}: not readable as JSON ({error}); {mend}"
        ) from None
