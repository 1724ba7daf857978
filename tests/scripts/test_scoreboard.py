"""The scoreboard: a row for each claim and run, from the results alone."""

import html
import re

import pytest

import templates
from onthefly.page import claims, results
from rendering import scoreboard
from rendering.copy import HERE, Copy

CLAIM = "pi-error-power-law"
PAGE = "what-a-shot-buys"
NAME = "measuring/what_a_shot_buys"


def keep(run, slug, when, folder=None):
    """Store Results as those of a machine, measured at a time."""
    run.machine["slug"], run.machine["time"] = slug, when
    results.save(run, folder)


@pytest.fixture
def stamps(measured, archive):
    """What a run of one page on a machine of its own left."""
    keep(measured, "box", "2026-01-02T03:04:05+00:00")
    return {NAME: {"chapter": PAGE, "machine": "box", "preset": "S"}}


@pytest.fixture
def shelved(measured, stamps):
    """The stamps, beside recorded runs: older, newer, and this copy's own."""
    for slug, year in (("old", 2024), ("new", 2025), ("box", 2026)):
        when = f"{year}-01-02T03:04:05+00:00"
        keep(measured, slug, when, results.RECORDED)
    return stamps


def rows(text):
    """Return (attributes, text) of each row of the table of all claims."""
    return [
        (dict(re.findall(r'data-(\w+)="([^"]*)"', attributes)), inner)
        for attributes, inner in re.findall(
            r"<tr( data-[^>]*)>(.*?)</tr>", text, re.S
        )
    ]


def page(stamps):
    return scoreboard.page(Copy(stamps))


def test_every_claim_of_the_ledger_has_a_verdict(stamps):
    judged = Copy(stamps).judged
    ledger = claims.load()
    assert set(judged) == set(ledger.claims)
    text = html.unescape(page(stamps))
    for claim in ledger.claims.values():
        assert claim.says in text
        first = judged[claim.id][0]
        if claim.chapter not in claims.written():
            assert first.kind == "unwritten"
        elif claim.chapter != PAGE and claim.kind != "history":
            assert "has no run" in first.measured and not first.origin
    assert judged[CLAIM][0].kind == "unresolved"


def test_what_follows_a_table_is_no_part_of_it(stamps):
    lines = page(stamps).splitlines()
    fences = [line for line in lines if "```" in line]
    assert fences == ["```{raw} html", "```"] * 2
    assert sum(line.startswith("## ") for line in lines) == 2


def test_each_recorded_run_has_a_row_the_newest_first(shelved):
    judged = Copy(shelved).judged[CLAIM]
    assert [one.machine for one in judged] == [HERE, "new", "old"]
    own = [row for row in rows(page(shelved)) if CLAIM in row[1]]
    assert [keys["machine"] for keys, _ in own] == [HERE, "new", "old"]
    for _, text in own:  # which leads to the claim's card
        assert f'href="../notebooks/{NAME}.html#claim-{CLAIM}"' in text


def test_what_a_title_has_in_backticks_is_code():
    text = templates.coded("Why is `rand()` < it?")
    assert text == "Why is <code>rand()</code> &lt; it?"
