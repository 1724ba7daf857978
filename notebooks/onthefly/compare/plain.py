"""Files that pyperf wrote itself, as ``pyperf timeit -o FILE`` does.

Each of its benchmarks is a page of its own, since pyperf runs one after the
other: no two of them were measured in turns.
"""

from onthefly.compare.session import Run
from onthefly.errors import CorruptFile
from onthefly.measure.samples import Samples, Series

REPAIR = "name a file that pyperf timeit -o has written"
GROUP, SERIES = "pyperf", "values"


def is_plain(suite):
    """Tell whether JSON is a pyperf suite without what this package adds."""
    return (
        isinstance(suite, dict)
        and "benchmarks" in suite
        and "onthefly" not in suite
    )


def of(suite, path):
    """Return {benchmark's name: [Run, one for each process]} of a suite.

    suite  the file's JSON
    path   the file, for messages

    Raises CorruptFile where it is none, or measures no seconds.
    """
    pages = {}
    try:
        for benchmark in suite["benchmarks"]:
            about = suite.get("metadata", {}) | benchmark.get("metadata", {})
            if about.get("unit", "second") != "second":
                raise ValueError(f"values in {about['unit']}, not in seconds")
            runs = [_run(run, about) for run in benchmark["runs"]
                    if run.get("values")]  # fmt: skip
            pages.setdefault(about.get("name", "benchmark"), []).extend(runs)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise CorruptFile(f"{path}: {error}", REPAIR) from None
    return pages


def _run(run, about):
    """Return the Run of one process.

    about  {what: value} that pyperf says of all processes
    """
    about = about | run.get("metadata", {})
    values = tuple(map(float, run["values"]))
    cores = about.get("cpu_count", 1)
    packages = {"pyperf": about.get("perf_version", "unknown")}
    return Run(
        about.get("name", "benchmark"),
        _machine(about),
        preset="",
        device="",
        seed=0,
        lab={},
        packages=packages,
        timings={GROUP: Samples([Series(SERIES, None, None, values)], cores)},
        instrument="pyperf",
    )


def _machine(about):
    """Return what pyperf says of a machine, as a machine's record has it."""
    return {
        "slug": about.get("hostname", "unknown"),
        "time": about.get("date", "unknown"),
        "cpu": about.get("cpu_model_name", "unknown"),
        "cores": {"machine": about.get("cpu_count", "unknown")},
        "gpus": [],
        "python": {
            about.get("python_implementation", "python"): about.get(
                "python_version", "unknown"
            )
        },
        "system": about.get("platform", "unknown"),
    }
