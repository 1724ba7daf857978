"""The built book's pages: that they are there, and the status page."""

import json

from commandline import ROOT
from reading import toc


def test_every_chapter_and_page_is_in_the_book(html):
    names = toc.documents(ROOT)
    assert len(names) > 4
    for name in names:
        assert (html / f"{name}.html").exists(), name


def test_the_status_page_has_a_row_for_each_chapter(html):
    text = (html / "book" / "status.html").read_text("utf-8")
    stamps = sorted((html.parent / "executed").glob("*.json"))
    assert stamps
    for path in stamps:
        assert f"notebooks/{path.stem}.html" in text
        assert json.loads(path.read_text())["machine"] in text
