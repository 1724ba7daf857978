"""The built book's pages: that they are there, and the status page."""

import json
import re

from commandline import ROOT
from onthefly.page.checkout import name_of
from reading import toc

LINK = re.compile(r'<a\b[^>]* href="(?![a-z]+:)([^"#?]*)#?([^"=]*)"')


def test_every_chapter_and_page_is_in_the_book(html):
    names = toc.documents(ROOT)
    assert len(names) > 4
    for name in names:
        assert (html / f"{name}.html").exists(), name


def test_each_link_within_the_book_has_its_place(html):
    """Also those that the lab writes, of which Sphinx knows nothing."""
    texts = {
        path.resolve(): path.read_text("utf-8")
        for path in html.rglob("*.html")
        if "_static" not in path.parts
    }
    lost = set()
    for path, text in texts.items():
        for file, place in LINK.findall(text):
            target = (path.parent / file).resolve() if file else path
            there = f'id="{place}"' in texts.get(target, "")
            if not (there if place else target.exists()):
                lost.add((path.name, file, place))
    assert lost == set()


def test_the_status_page_has_a_row_for_each_chapter(html):
    text = (html / "book" / "status.html").read_text("utf-8")
    stamps = sorted((html.parent / "executed").glob("*/*.json"))
    assert stamps
    for path in stamps:
        assert f"notebooks/{name_of(path)}.html" in text
        assert json.loads(path.read_text())["machine"] in text
