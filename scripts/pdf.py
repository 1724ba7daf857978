#!/usr/bin/env python3
"""Print the built book, a part or a page as a PDF file, by Chromium.

    scripts/pdf.py                 the whole book
    scripts/pdf.py threads         a part, by its folder
    scripts/pdf.py cheat_sheet     a page, by its file or its address's name

It needs _build/html (make read, or make book) and Debian's package chromium.

Exit status: 0 printed, 2 there is no such page, no built book or no browser.
"""

import html
import io
import pathlib
import re
import shutil
import sys

from commandline import ROOT, Parser, command, folder
from onthefly import files, folders
from onthefly.errors import UserError
from reading import toc

PARTS = "book/parts/"
BOOK = "Python on the Fly"
# The number of the first sheet, and what is of no use on paper.
STYLE = "html { counter-reset: page %d }"
# Addresses within the book would lead to files of this machine.
UNLINK = """
for (const link of document.querySelectorAll("a[href]"))
  if (!/^(https?|mailto):/.test(link.getAttribute("href")))
    link.removeAttribute("href");
"""
CONTENTS = """<!doctype html><html lang="en"><title>Contents</title><style>
@page { size: A4; margin: 18mm; }
body { font: 10pt sans-serif; }
p { display: flex; margin: 0.15em 0 0.15em 1.5em; }
p::after { order: 1; content: ""; flex: 1; margin: 0 0.5em 0.25em;
  border-bottom: 1px dotted #888; }
p b { order: 2; font-weight: 400; }
p.part { margin: 0.9em 0 0.2em; font-weight: 600; }
</style><h1>%s</h1>%s</html>"""


def parse(argv):
    """Return the parsed command line."""
    parser = Parser(__doc__)
    parser.add_argument(
        "name", nargs="?", default="", metavar="NAME",
        help="a part or a page (default: the whole book)",
    )  # fmt: skip
    parser.add_argument(
        "--build", type=folder, default=folders.build_dir(), metavar="DIR",
        help="folder of generated files (default: _build)",
    )  # fmt: skip
    parser.add_argument(
        "--to", type=pathlib.Path, metavar="FILE",
        help="file to write (default: _build/pdf/NAME.pdf)",
    )  # fmt: skip
    return parser.parse_args(argv)


def chosen(name, documents):
    """Return the documents that a part or a page stands for.

    name       of the command line; "" for all
    documents  as toc.documents returns them

    Raises UserError where there is none of this name.
    """
    if not name:
        return documents
    name = name.replace("-", "_")
    if (first := PARTS + name) in documents:
        start = documents.index(first)
        after = (one.startswith(PARTS) for one in documents[start + 1 :])
        end = next(
            (n for n, part in enumerate(after, start + 1) if part), None
        )
        return documents[start:end]
    found = [one for one in documents if one.rpartition("/")[2] == name]
    if not found:
        raise UserError(
            f"{name}: no part and no page of the book; _toc.yml names them"
        )
    return found


def title(path):
    """Return the title of a built page."""
    found = re.search(r"<title>(.*?)</title>", files.text(path), re.DOTALL)
    return html.unescape(found[1]).rpartition(" — ")[0].strip()


class Press:
    """Prints pages of HTML one after the other and joins the sheets.

    browser  a playwright Browser
    """

    def __init__(self, browser):
        """Open a page in which all others are printed."""
        from pypdf import PdfWriter

        self.page = browser.new_page(color_scheme="light")
        self.page.emulate_media(media="print")
        self.writer = PdfWriter()

    def printed(self, start, address="", text=""):
        """Return the PDF of an address, or of a text of HTML, as bytes.

        start  number of sheets before it
        """
        if text:
            self.page.set_content(text)
        else:
            self.page.goto(address)
            self.page.evaluate(UNLINK)
        self.page.add_style_tag(content=STYLE % start)
        return self.page.pdf(
            prefer_css_page_size=True, print_background=True, tagged=True
        )

    def add(self, sheets, name):
        """Append the sheets of `printed` under a name of the outline."""
        self.writer.append(
            io.BytesIO(sheets), outline_item=name, import_outline=False
        )


def sheets(data):
    """Return the number of sheets of a PDF."""
    from pypdf import PdfReader

    return len(PdfReader(io.BytesIO(data)).pages)


def contents(name, titles, starts):
    """Return a table of contents as HTML."""
    rows = "".join(
        f"<p class='{'part' if one.startswith(PARTS) else 'page'}'>"
        f"{html.escape(titles[one])}<b>{starts[one] + 1}</b></p>"
        for one in titles
    )
    return CONTENTS % (html.escape(name), rows)


def write(press, folder, documents, target):
    """Print documents, with a table of contents if there are several.

    press      a Press
    folder     of the built book
    documents  paths within it, without suffix
    target     file to write
    """
    titles = {one: title(folder / f"{one}.html") for one in documents}
    name = BOOK if len(documents) > 1 else titles[documents[0]]
    several = len(documents) > 1
    total = 0
    if several:
        guess = contents(name, titles, dict.fromkeys(titles, 0))
        total = sheets(press.printed(0, text=guess))
    starts, parts = {}, {}
    for one in documents:
        starts[one] = total
        address = (folder / f"{one}.html").resolve().as_uri()
        parts[one] = press.printed(total, address)
        total += sheets(parts[one])
    if several:
        table = contents(name, titles, starts)
        press.add(press.printed(0, text=table), "Contents")
    for one in documents:
        press.add(parts[one], titles[one])
    press.writer.add_metadata({"/Title": name})
    data = io.BytesIO()
    press.writer.write(data)
    files.write(target, data.getvalue())
    return total


@command
def main(argv=None):
    """Print what the command line names; return the exit status."""
    options = parse(argv)
    documents = chosen(options.name, toc.documents(ROOT))
    folder = options.build / "html"
    if not (folder / f"{documents[0]}.html").exists():
        raise UserError(f"{folder}: no built book; repair: make read")
    target = options.to or options.build / f"pdf/{options.name or 'book'}.pdf"
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise UserError("chromium is missing; repair: apt install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        total = write(Press(browser), folder, documents, target)
        browser.close()
    print(f"pdf: {total} sheets, {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
