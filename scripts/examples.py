#!/usr/bin/env python3
"""Write the example results, which measure nothing, from their laws.

    python scripts/examples.py            write book/examples/*.json
    python scripts/examples.py --check    say which of them are not as written

A GPU chapter draws them where no machine has recorded its timings yet.
Exit code 0: done; 1: a file is not up to date; 2: a law cannot be read.
"""

import argparse
import sys
from pathlib import Path

import yaml

# Scripts run without an install: the lab sits beside the notebooks.
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "notebooks"))

from onthefly import results
from onthefly.timings import Series, Timings

LAWS = "laws.yml"
SAMPLES = 10
SCATTER = 0.01  # of a sample, as a share: -2, -1, 0, 1, 2 times this
# What stands in for a machine record; no page shows it.
NOWHERE = {
    "slug": "example",
    "cpu": "none",
    "cores": {"usable": 16, "machine": 16, "threads_per_core": 1},
    "gpus": [],
    "time": "1970-01-01T00:00:00+00:00",
}


def series(name, size, call, each=0.0, power=1.0, first=None):
    """Return the Series of a law: call + each · size^power seconds."""
    seconds = call + each * (size or 1) ** power
    values = tuple(
        seconds * (1 + SCATTER * (k % 5 - 2)) for k in range(SAMPLES)
    )
    return Series(name, size, first or 10 * seconds, values)


def example(chapter, groups):
    """Return the Results of one chapter's laws."""
    return results.Results(
        chapter,
        "S",
        timings={
            group: Timings(
                series(name, size, **law)
                for name, law in told["series"].items()
                for size in told.get("sizes", [None])
            )
            for group, told in groups.items()
        },
        machine=NOWHERE,
        example="written by scripts/examples.py",
    )


def texts(folder):
    """Return {path: text} of the files that the folder's laws make.

    Raises ValueError with one line for laws of another form.
    """
    path = folder / LAWS
    try:
        laws = yaml.safe_load(path.read_text(encoding="utf-8"))
        return {
            folder / f"{chapter}.json": results.as_json(
                example(chapter, groups)
            )
            + "\n"
            for chapter, groups in laws.items()
        }
    except (OSError, yaml.YAMLError, AttributeError, KeyError,
            TypeError) as error:  # fmt: skip
        line = " ".join(str(error).split())
        raise ValueError(
            f"{path}: {line}; repair: the form is in its first lines"
        ) from None


def main(argv=None):
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument(
        "--folder", type=Path, default=results.EXAMPLES, metavar="DIR",
        help=f"where {LAWS} is (default: book/examples)",
    )  # fmt: skip
    options = parser.parse_args(argv)
    try:
        wanted = texts(options.folder)
    except ValueError as error:
        print(f"examples: {error}", file=sys.stderr)
        return 2
    there = {p: p.read_text("utf-8") for p in options.folder.glob("*.json")}
    stale = [p for p in wanted | there if wanted.get(p) != there.get(p)]
    for path in sorted(stale):
        if options.check:
            print(
                f"examples: {path} is not what {LAWS} says", file=sys.stderr
            )
        elif path in wanted:
            results.write_atomically(path, wanted[path])
            print(f"examples: wrote {path}")
        else:
            path.unlink()
            print(f"examples: removed {path}")
    return int(options.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
