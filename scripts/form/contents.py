"""The table of contents against the notebooks that are there."""

from form.finding import Finding
from reading import notebooks, toc


def check(root):
    """Yield the Findings of `root`/_toc.yml against `root`/notebooks.

    Raises Refused where it is no table of contents.
    """
    listed = set(toc.chapters(root))
    there = {path.stem for path in notebooks.paths(root)}
    for stem in sorted(there - listed):
        name = f"{toc.FOLDER}{stem}"
        what = f"{name}.ipynb is not listed"
        yield Finding(toc.NAME, "", what, f'add "- file: {name}"')
    for stem in sorted(listed - there):
        what = f"{toc.FOLDER}{stem} does not exist"
        yield Finding(toc.NAME, "", what, "delete the entry, or write it")
