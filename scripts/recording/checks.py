"""Why measurements are not worth keeping: a line for each reason."""

from commandline import shown
from onthefly.errors import UserError
from onthefly.measure import data, presets, timings
from onthefly.page import checkout, dependencies, results

# Numba then runs kernels for the GPU in Python, on the processor.
SIMULATOR = "NUMBA_ENABLE_CUDASIM"


def faults(path, told, share):
    """Yield a line for each reason not to keep the data in a file.

    told   path of the results that the page concluded from it
    share  of a page's series that may be noisy, from 0 to 1
    """
    try:
        own, run = data.load(path), results.load(told)
    except UserError as error:
        yield str(error)
        return
    again = f"repair: scripts/run.py {path.stem} --preset {own.preset}"
    if not run.finished or run.preset != own.preset or _failed(told):
        yield (
            f"{shown(path)}: the page did not come to its end, so a check "
            f"may have failed; {again}"
        )
    if names := _changed(own):
        yield (
            f"{shown(path)}: measured by another version of the lab "
            f"({', '.join(names)}); {again}"
        )
    if names := _simulated(own):
        yield (
            f"{shown(path)}: measured in Numba's simulator "
            f"({', '.join(names)}), and not on a GPU; repair: unset "
            f"{SIMULATOR}, and run it again"
        )
    count, every = _noisy(own)
    if count > share * every:
        yield (
            f"{shown(path)}: {count} of {every} series are noisy, above "
            f"{share:.0%}; {again} --sharpen 10 while nothing else runs"
        )


def other_machine(path, about):
    """Yield a line where a recorded file is another machine's.

    about  the machine record of the data to keep
    """
    kept = data.load(path).machine
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

    paths  of data that are to lie in one folder
    about  as of `other_machine`; where it has no id, nothing is known
    """
    if about.get("id"):
        for path in data.strangers(paths, about["id"]):
            yield (
                f"{shown(path)}: another machine of this kind measured it; "
                "repair: choose another --name, or remove that file first"
            )


def poorer(path, old):
    """Yield a line where data are less than the recorded ones.

    That is a smaller preset, or what is not in them.

    path  the data to keep; they are read
    old   where they would be kept, whether or not there are any
    """
    if not old.exists():
        return
    was, now = data.load(old), data.load(path)
    if presets.BUDGET[now.preset] < presets.BUDGET[was.preset]:
        yield (
            f"{shown(path)}: preset {now.preset}, and {shown(old)} has "
            f"preset {was.preset}; repair: run it with that, or remove the "
            "old file first"
        )
    lacks = sorted({*was.groups, *was.looks} - {*now.groups, *now.looks}) + [
        f"{name}: {series}"
        for name, group in was.groups.items()
        if name in now.groups
        for series in group.samples().names
        if series not in now.groups[name].samples().names
    ]
    if lacks:
        yield (
            f"{shown(path)}: lacks what {shown(old)} holds "
            f"({', '.join(lacks)}); repair: run it where that can be "
            "measured, or remove the old file first"
        )


def _failed(told):
    """Tell whether the last run of a page failed.

    scripts/run.py then leaves a partial notebook; the results are older.
    """
    partial = checkout.pages(told.parents[2] / "partial")
    return told.stem in map(checkout.slug_of, partial)


def _changed(own):
    """Return which files of the lab that measured Data are others by now."""
    names = set()
    for group in [*own.groups.values(), *own.looks.values()]:
        for name, hash_ in group.key.get("files", {}).items():
            if dependencies.package().hash(name) != hash_:
                names.add(name)
    return sorted(names)


def _simulated(own):
    """Return the names of what Data hold of Numba's simulator of a GPU."""
    every = own.groups | own.looks
    return [
        name
        for name, one in sorted(every.items())
        if one.key.get("environment", {}).get(SIMULATOR, "0") != "0"
    ]


def _noisy(own):
    """Return (noisy series, all series) of a page's Data."""
    doubts = [
        timings.doubt(series, samples.cores)
        for group in own.groups.values()
        for samples in [group.samples()]
        for series in samples
    ]
    return sum(map(bool, doubts)), len(doubts)
