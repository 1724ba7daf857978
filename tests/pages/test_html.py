"""The built book's pages: what they load, and what they must say."""

import json
import re
import urllib.parse
from html.parser import HTMLParser

from commandline import ROOT
from reading import toc


def pages(html):
    """Return {page: text} of the real book, without the theme's templates."""
    return {
        path: path.read_text(encoding="utf-8")
        for path in sorted(html.rglob("*.html"))
        if "_static" not in path.parts
    }


class Assets(HTMLParser):
    """Collect what a page loads by itself; links to follow are no assets."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        names = ["src", "poster", "data"] + ["href"] * (tag == "link")
        self.found += [given[n] for n in names if given.get(n)]
        self.found += urls(given.get("style") or "")

    def handle_data(self, data):
        if self.lasttag == "style":
            self.found += urls(data)


def urls(css):
    """Return what a style sheet loads."""
    return re.findall(r"url\(\s*['\"]?([^'\")]+)", css)


def is_local(url):
    return not urllib.parse.urlsplit(url).netloc


def test_assets_are_seen():
    text = "<script src='//a/x.js'></script><link href='y.css'><a href='z'>"
    text += "<style>p { background: url(https://b/c.png) }</style>"
    assert Assets(text).found == ["//a/x.js", "y.css", "https://b/c.png"]


def test_no_page_loads_from_another_host(html):
    away = {
        path.name: outside
        for path, text in pages(html).items()
        if (outside := [u for u in Assets(text).found if not is_local(u)])
    }
    assert not away


def test_no_style_sheet_loads_from_another_host(html):
    sheets = list(html.rglob("*.css"))
    assert sheets
    for path in sheets:
        assert all(map(is_local, urls(path.read_text("utf-8")))), path


def test_every_asset_of_a_page_is_there(html):
    missing = []
    for path, text in pages(html).items():
        for url in Assets(text).found:
            name = urllib.parse.unquote(urllib.parse.urlsplit(url).path)
            if not is_local(url) or url.startswith("data:"):
                continue
            if not (path.parent / name).exists():
                missing.append(f"{path.name}: {url}")
    assert not missing


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
