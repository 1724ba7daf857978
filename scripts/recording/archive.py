"""The archive of recorded results: one folder a machine."""

import json

from commandline import shown
from onthefly import files, results
from onthefly.errors import UserError
from recording.checks import faults, other_machine, poorer, strangers


def chosen(folder, chapters):
    """Return the results files of the chapters, by default all.

    Raises UserError where there is none.
    """
    if not chapters:
        found = sorted(folder.glob("*.json"))
        if found:
            return found
        raise UserError(
            f"{shown(folder)}: no results there; "
            "repair: scripts/run.py --preset L, or --build, or --machine"
        )
    return [folder / f"{chapter}.json" for chapter in chapters]


def record(sources, target, preset, share):
    """Check all results, then write them; yield a line for each.

    sources  paths of results files
    target   the machine's folder in the archive; its name is the machine's
    preset, share  as for faults

    Raises UserError, with a line for each reason, before anything is written.
    """
    reasons = [f for path in sources for f in faults(path, preset, share)]
    if not reasons:
        about = results.load(sources[0]).machine
        for path in sorted(target.glob("*.json"))[:1]:
            reasons += other_machine(path, about)
        stay = set(target.glob("*.json")) - {target / p.name for p in sources}
        reasons += strangers([*sources, *sorted(stay)], about)
        for path in sources:
            reasons += poorer(path, target / path.name)
    if reasons:
        raise UserError("\n".join(reasons))
    texts = {target / p.name: _renamed(p, target.name) for p in sources}
    for path, text in texts.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            yield f"{shown(path)}: unchanged"
            continue
        files.write(path, text)
        yield f"{shown(path)}: recorded"


def _renamed(path, name):
    """Return a results file's text with `name` as its machine."""
    data = json.loads(path.read_text(encoding="utf-8"))
    data["onthefly"]["machine"]["slug"] = name
    return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False)
