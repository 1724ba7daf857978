#!/usr/bin/env python3
"""Write the example data, which measure nothing, from their laws.

    python scripts/examples.py            write book/data/example/*.json
    python scripts/examples.py --check    say which of them are not as written

A GPU chapter draws the format of a figure by them where no machine has
recorded its timings yet; no text has a number of theirs.
Exit code 0: done; 1: a file is not up to date; 2: a law cannot be read.
"""

import sys

from commandline import Parser, command, folder
from onthefly import data, files
from onthefly.errors import UserError
from onthefly.samples import Samples, Series

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


def example(page, groups):
    """Return the Data of one page's laws."""
    every = data.Data(page, "S", machine=NOWHERE)
    for group, laws in groups.items():
        samples = Samples(
            series(name, size, **law)
            for name, law in laws["series"].items()
            for size in laws.get("sizes", [None])
        )
        every.groups[group] = data.Group({}, [samples], [NOWHERE["time"]])
    return every


def texts(folder):
    """Return {path: text} of the files that the folder's laws make.

    Raises UserError with one line for laws of another form.
    """
    path = folder / LAWS
    laws = files.yaml_data(path)
    try:
        return {
            folder / f"{page}.json": data.as_json(example(page, groups))
            + "\n"
            for page, groups in laws.items()
        }
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        line = " ".join(str(error).split())
        raise UserError(
            f"{path}: {line}; write it in the form of its first lines"
        ) from None


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument(
        "--folder",
        type=folder,
        default=data.RECORDED / data.EXAMPLE, metavar="DIR",
        help=f"where {LAWS} is (default: book/data/example)",
    )  # fmt: skip
    return parser.parse_args(argv)


@command
def main(argv=None):
    """Run the command; return its exit code."""
    options = parse(argv)
    wanted = texts(options.folder)
    there = {p: p.read_text("utf-8") for p in options.folder.glob("*.json")}
    stale = [p for p in wanted | there if wanted.get(p) != there.get(p)]
    for path in sorted(stale):
        if options.check:
            print(
                f"examples: {path} is not what {LAWS} says", file=sys.stderr
            )
        elif path in wanted:
            files.write(path, wanted[path])
            print(f"examples: wrote {path}")
        else:
            path.unlink()
            print(f"examples: removed {path}")
    return int(options.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
