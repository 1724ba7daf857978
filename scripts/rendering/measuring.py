"""The page that tells how results are measured, and on which machine."""


def page(copy):
    """Return the page as Markdown.

    copy  a rendering.copy.Copy
    """
    runs = sorted(copy.runs.items())
    records = {run.machine["slug"]: run.machine for _, run in runs}
    counts = [run.machine["slug"] for _, run in runs]
    often = sorted(records, key=lambda slug: (-counts.count(slug), slug))
    return copy.render(
        "book/measuring", machines=[_line(records[slug]) for slug in often]
    )


def _line(record):
    """Return what a reader asks about a machine, in Markdown."""
    gpus = ", ".join(about["name"] for about in record["gpus"]) or "no GPU"
    return (
        f"`{record['slug']}`: {record['cpu']}, {record['cores']['usable']} "
        f"usable cores, {record['memory'] / 1e9:.0f} GB of memory, {gpus}, "
        f"CPython {record['python']['version']}"
    )
