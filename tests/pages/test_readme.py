"""README's numbers of the record: the tally of the first page."""

import re

from commandline import ROOT

TALLY = re.compile(r"Of the \d+ published claims .*? settled")


def test_the_readme_has_the_first_pages_tally(html):
    page = html.parent / "stage" / "book" / "index.md"
    told, readme = (
        " ".join(path.read_text("utf-8").split())
        for path in (page, ROOT / "README.md")
    )
    (tally,) = TALLY.findall(told)
    assert tally in readme, f"README.md: put there: {tally}"
