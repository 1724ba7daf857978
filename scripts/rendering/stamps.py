"""The stamps of the executed chapters: only what is whole is rendered."""

import hashlib

from onthefly.refused import Refused
from reading import stamps


def stamp_of(build, chapter):
    """Return the stamp of a finished chapter.

    build    folder of generated files
    chapter  stem of its file

    Raises Refused unless its notebook is there, whole, and the one that the
    stamp was written for.
    """
    notebook = build / "executed" / f"{chapter}.ipynb"
    path = stamps.path_of(notebook)
    repair = f"run scripts/run.py {chapter}"
    for file in (path, notebook):
        if not file.exists():
            raise Refused(
                f"{chapter}: not finished, {file} is missing; {repair}"
            )
    stamp = stamps.read(path)
    if not stamp["key"]:
        raise Refused(f"{chapter}: its last run did not end; {repair}")
    if stamp["notebook_sha256"] != _hash(notebook):
        raise Refused(
            f"{chapter}: {notebook} is not the notebook that was stamped; "
            f"{repair} --force"
        )
    return stamp


def _hash(path):
    """Return the SHA-256 of a file in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
