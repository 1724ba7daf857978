"""The page of all verdicts, and their count on the first page."""

import re

import pytest

from onthefly import claims, results
from rendering import status


@pytest.fixture
def stamps(measured, shelf):
    """What a run of one chapter on a machine of its own left."""
    measured.machine["slug"] = "box"
    results.save(measured)
    return {
        "10_method": {
            "chapter": "method", "machine": "box", "preset": "S",
            "device": "cpu", "duration_s": 1.0,
            "started": "2026-01-02T03:04:05+00:00",
        }
    }  # fmt: skip


def test_every_claim_of_the_ledger_has_a_verdict(stamps):
    verdicts = status.judge(stamps)
    found = {row["id"]: row for rows in verdicts.values() for row in rows}
    ledger = claims.load()
    assert set(found) == set(ledger.claims)
    text = status.status(stamps, verdicts)
    for claim in ledger.claims.values():
        assert claim.id in text
        if claim.chapter not in claims.written():
            assert found[claim.id]["verdict"] == "chapter not written"
        elif claim.chapter != "method" and claim.kind != "history":
            assert "has no run" in found[claim.id]["reason"]
    assert found["pi-error-power-law"]["verdict"] == claims.UNRESOLVED


def test_the_tally_counts_each_claim_once(stamps):
    verdicts = status.judge(stamps)
    text = status.tally(stamps, verdicts)
    counts = map(int, re.findall(r"<b>(\d+)</b>", text))
    assert sum(counts) == len(claims.load().claims)
    own = [
        c for c in claims.load().claims.values() if c.source == claims.AIMS
    ]
    assert own and f" {len(own)} that this book set itself" in text
