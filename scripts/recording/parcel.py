"""A machine's record as one file, to be carried to another machine.

A ZIP archive with the files of ``book/data`` and ``book/results`` in their
folders, and what else is to be looked at there.
"""

import io
import re
import zipfile

from commandline import shown
from onthefly import files
from onthefly.errors import UserError

KINDS = ("data", "results")
MEMBER = re.compile(rf"({'|'.join(KINDS)})/([a-z0-9-]+)/[a-z0-9-]+\.json")


def pack(path, book, name, pages, beside):
    """Write the record of some pages to a file, whole or not at all.

    book    the folder with data/ and results/ of all machines
    name    the machine's
    pages   slugs
    beside  {name in the archive: path} of other files

    Raises OSError, which names the file.
    """
    every = {
        f"{kind}/{name}/{page}.json": book / kind / name / f"{page}.json"
        for kind in KINDS
        for page in pages
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, source in (every | beside).items():
            archive.write(source, member)
    files.write(path, made.getvalue())


def unpack(path, folder):
    """Write the record in a file to `folder`; return the machine's name.

    Nothing but the record is taken, whatever else the file holds.  Raises
    UserError where it holds no record, or two machines'.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            taken = [n for n in archive.namelist() if MEMBER.fullmatch(n)]
            for member in taken:
                files.write(folder / member, archive.read(member))
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise UserError(
            f"{shown(path)}: damaged, or no archive ({error}); copy it again"
        ) from None
    names = {MEMBER.fullmatch(member)[2] for member in taken}
    if len(names) != 1:
        raise UserError(
            f"{shown(path)}: holds the record of {len(names)} machines; name "
            "a file that scripts/gpu_box.py --to has written"
        )
    return names.pop()
