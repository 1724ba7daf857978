"""What stands in a figure's place for those who cannot see it is for an ear.

It has numbers of at most three digits that count, and words in their right
number.  What is set or counted, a whole number, may be longer.
"""

import html
import json
import re

import pytest

ALT = re.compile(r'<svg role="img" aria-label="([^"]*)"')
# No versions, as 3.11.7: these have more than one point.
DECIMAL = re.compile(r"(?<![\d.,])(\d+\.\d+)(?![\d.]|e)")
MEASURED = re.compile(r"(?<![\d.,])(\d{4,})(?: ?[×%]| times| [mnµ]?s\b)")
SINGULAR = re.compile(r"(?<![\d.,])1 (?!ms\b|ns\b|µs\b)\w*[^\W\ds]s\b")
DIGITS = 3


@pytest.fixture(scope="module")
def alts(executed):
    """{(page, alt text)} of all figures of the pages, as they are told."""
    found = set()
    for path in executed.rglob("*.ipynb"):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            shown = [out.get("data", {}) for out in cell.get("outputs", [])]
            for kept in cell["metadata"].get("user_expressions", []):
                shown.append(kept["result"].get("data", {}))
            for data in shown:
                markup = "".join(data.get("text/html", ""))
                found |= {
                    (path.stem, html.unescape(text))
                    for text in ALT.findall(markup)
                }
    return found


def too_long(text):
    """Return the numbers of a text with too many digits that count."""
    long = [
        number
        for number in DECIMAL.findall(text)
        if len(number.replace(".", "").lstrip("0")) > DIGITS
    ]
    return long + [
        number
        for number in MEASURED.findall(text)
        if len(number.rstrip("0")) > DIGITS
    ]


def test_the_rule_finds_what_it_is_for():
    assert too_long("0 % at 1.4809519999943177 intervals") != []
    assert too_long("Dask 3354× as long") == ["3354"]
    text = "3.11.7 takes 0.00344 s, 5.14e−4 at 65,536 bytes, 3350 times"
    assert too_long(text) == []
    assert SINGULAR.search("1.00× at 1 threads")
    assert not SINGULAR.search("1 thread, 1 ms of it, 11 threads, 0.1 bits")


def test_no_number_has_more_digits_than_an_ear_keeps(alts):
    assert {pair for pair in alts if too_long(pair[1])} == set()


def test_one_is_one(alts):
    assert {pair for pair in alts if SINGULAR.search(pair[1])} == set()


def test_each_figure_says_something(alts):
    assert alts and all(text.strip() for _, text in alts)
