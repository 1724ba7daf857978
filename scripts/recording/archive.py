"""The archive of recorded measurements: one folder a machine.

``book/data/NAME`` holds what was measured, ``book/results/NAME`` what the
pages concluded from it, for the scoreboard of all machines.
"""

import json

from commandline import shown
from onthefly import files
from onthefly.errors import UserError
from onthefly.measure import data
from recording.checks import faults, other_machine, poorer, strangers


def chosen(folder, pages):
    """Return the data files of the pages, by default all.

    Raises UserError where there is none.
    """
    if pages:
        return [folder / f"{page}.json" for page in pages]
    if every := sorted(folder.glob("*.json")):
        return every
    raise UserError(
        f"{shown(folder)}: nothing measured there; "
        "repair: scripts/run.py --preset L, or --build, or --machine"
    )


def record(sources, told, book, name, share):
    """Check all data, then write them; yield a line for each file.

    sources  paths of data files
    told     folder of the results that the pages concluded from them
    book     folder of the book: its data/ and results/ hold the archive
    name     what the machine is called there
    share    as for faults

    Raises UserError, with a line for each reason, before anything is written.
    """
    target = book / "data" / name
    reasons = [
        fault
        for path in sources
        for fault in faults(path, told / path.name, share)
    ]
    if not reasons:
        about = data.load(sources[0]).machine
        for path in sorted(target.glob("*.json"))[:1]:
            reasons += other_machine(path, about)
        stay = set(target.glob("*.json")) - {target / p.name for p in sources}
        reasons += strangers([*sources, *sorted(stay)], about)
        for path in sources:
            reasons += poorer(path, target / path.name)
    if reasons:
        raise UserError("\n".join(reasons))
    texts = {
        folder / path.name: _renamed(source, name)
        for path in sources
        for folder, source in (
            (target, path),
            (book / "results" / name, told / path.name),
        )
    }
    for path, text in texts.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            yield f"{shown(path)}: unchanged"
            continue
        files.write(path, text)
        yield f"{shown(path)}: recorded"


def _renamed(path, name):
    """Return a file's text with `name` as its machine."""
    content = json.loads(path.read_text(encoding="utf-8"))
    content.get("onthefly", content)["machine"]["slug"] = name
    if "onthefly" in content:
        data.sign(content)
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
