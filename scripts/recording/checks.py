"""Why results are not worth keeping: a line for each reason."""

from commandline import shown
from onthefly import presets, provenance, results, timings
from onthefly.errors import UserError


def faults(path, preset, share):
    """Yield a line for each reason not to keep the results in a file.

    preset  the one that is asked for
    share   of a chapter's series that may be noisy, from 0 to 1
    """
    try:
        found = results.load(path)
    except UserError as error:
        yield str(error)
        return
    again = f"repair: scripts/run.py {path.stem} --preset {preset} --force"
    if found.preset != preset:
        yield f"{shown(path)}: preset {found.preset}, not {preset}; {again}"
    if found.preset == "XS":
        yield (
            f"{shown(path)}: preset XS is for tests, its numbers say little; "
            "repair: a larger --preset, in run.py and here"
        )
    if not found.finished or _failed(path):
        yield (
            f"{shown(path)}: the chapter did not come to its end, so a check "
            f"may have failed; {again}"
        )
    if names := _changed(found):
        yield (
            f"{shown(path)}: measured by another version of the lab "
            f"({', '.join(names)}); {again}"
        )
    count, every = _noisy(found)
    if count > share * every:
        yield (
            f"{shown(path)}: {count} of {every} series are noisy, above "
            f"{share:.0%}; {again} while nothing else runs"
        )


def other_machine(path, about):
    """Yield a line where a recorded file is another machine's.

    about  the machine record of the results to keep
    """
    kept = results.load(path).machine
    for key in ("cpu", "cores", "gpus"):
        was, now = kept[key], about[key]
        if key == "gpus":
            was, now = ([g["name"] for g in x] for x in (was, now))
        if was != now:
            yield (
                f"{shown(path)}: another machine has this name "
                f"({key}: {was}, here {now}); repair: choose another --name"
            )
            return


def strangers(paths, about):
    """Yield a line for what another machine of the same kind measured.

    paths  of results that are to lie in one folder
    about  as of `other_machine`; where it has no id, nothing is known
    """
    if about.get("id"):
        for path in results.strangers(paths, about["id"]):
            yield (
                f"{shown(path)}: another machine of this kind measured it; "
                "repair: choose another --name, or remove that file first"
            )


def poorer(path, old):
    """Yield a line where results are less than the recorded ones.

    That is a smaller preset, or what is not in them.

    path  the results to keep; they are read
    old   where they would be kept, whether or not there are any
    """
    if not old.exists():
        return
    was, now = results.load(old), results.load(path)
    if presets.BUDGET[now.preset] < presets.BUDGET[was.preset]:
        yield (
            f"{shown(path)}: preset {now.preset}, and {shown(old)} has "
            f"preset {was.preset}; repair: run it with that, or remove the "
            "old file first"
        )
    lacks = [
        name
        for part in ("timings", "quantities", "tables")
        for name in sorted(set(getattr(was, part)) - set(getattr(now, part)))
    ]
    lacks += [
        f"{group}: {name}"
        for group, times in was.timings.items()
        for name in times.names
        if name not in now.timings.get(group, times).names
    ]
    if lacks:
        names = ", ".join(now.missing)
        without = f", without {names}," if names else ""
        yield (
            f"{shown(path)}: lacks{without} what {shown(old)} holds "
            f"({', '.join(lacks)}); repair: run it where that can be "
            "measured, or remove the old file first"
        )


def _failed(path):
    """Tell whether the last run of a results file's chapter failed.

    scripts/run.py then leaves a partial notebook; the results are older.
    """
    partial = provenance.pages(path.parents[2] / "partial")
    return path.stem in map(provenance.slug_of, partial)


def _changed(found):
    """Return which files that measured these Results are others by now.

    Those that only draw, judge and store do not count.
    """
    if not found.lab:
        return ["of unknown state"]
    then = {
        provenance.LAB / name: hash_
        for name, hash_ in found.lab.items()
        if not results.only_shows(name)
    }
    then |= {provenance.ROOT / k: v for k, v in found.read.items()}
    return [
        shown(path)
        for path, hash_ in then.items()
        if provenance.file_hash(path) != hash_
    ]


def _noisy(found):
    """Return (noisy series, all series) of a chapter's Results."""
    doubts = [
        timings.doubt(series, times.cores)
        for times in found.timings.values()
        for series in times
    ]
    return sum(map(bool, doubts)), len(doubts)
