"""Pages, parts and the book on paper."""

import io
import re

import pypdf
import pytest

from conftest import script

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("book")]


def printed(build, name, target):
    """Return the PDF of a part or a page."""
    done = script("pdf.py", name, "--build", build, "--to", target)
    assert done.returncode == 0, done.stderr
    return pypdf.PdfReader(io.BytesIO(target.read_bytes()))


def test_the_cheat_sheet_is_one_sheet(build, html, browser, tmp_path):
    pdf = printed(build, "cheat_sheet", tmp_path / "sheet.pdf")
    assert len(pdf.pages) == 1
    assert "prange" in pdf.pages[0].extract_text()


def test_a_part_has_contents_numbers_and_an_outline(
    build, html, browser, tmp_path
):
    pdf = printed(build, "threads", tmp_path / "threads.pdf")
    first = pdf.pages[0].extract_text()
    titles = [one.title for one in pdf.outline[1:]]
    assert len(titles) > 5
    for one in pdf.outline[1:]:
        sheet = pdf.get_destination_page_number(one)
        text = pdf.pages[sheet].extract_text()
        flat = re.sub(r"\s+", " ", text)
        assert one.title in flat
        assert text.startswith(f"{sheet + 1}\n")  # its number
        row = re.escape(one.title) + rf"\s*{sheet + 1}\b"
        assert re.search(row, re.sub(r"\s+", " ", first))


def test_no_address_leads_to_a_file_of_this_machine(
    build, html, browser, tmp_path
):
    pdf = printed(build, "races", tmp_path / "races.pdf")
    links = [
        note.get_object().get("/A", {}).get("/URI", "")
        for page in pdf.pages
        for note in page.get("/Annots", ())
    ]
    assert not [link for link in links if link.startswith("file:")]


def test_a_name_that_is_no_page_is_one_line():
    done = script("pdf.py", "race")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "race: no part and no page" in done.stderr
