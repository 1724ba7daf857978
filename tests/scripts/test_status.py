"""The page of all verdicts and machines, and the count on the first."""

import re

import pytest

from onthefly.page import claims, results
from rendering import status
from rendering.copy import Copy


@pytest.fixture
def stamps(measured, archive):
    """What a run of one chapter on a machine of its own left."""
    measured.machine["slug"] = "box"
    results.save(measured)
    return {
        "measuring/what_a_shot_buys": {
            "chapter": "what-a-shot-buys", "machine": "box", "preset": "S",
            "device": "cpu", "duration_s": 1.0,
            "started": "2026-01-02T03:04:05+00:00",
        }
    }  # fmt: skip


def page(stamps):
    return status.page(Copy(stamps))


def test_the_tally_counts_each_claim_once(stamps):
    text = page(stamps)
    counts = map(int, re.findall(r"<b>(\d+)</b>", text))
    assert sum(counts) == len(claims.load().claims)


def test_a_conclusion_that_does_not_hold_is_listed(measured, stamps):
    for text, verdict in (("It gains.", "not so"), ("It holds.", "holds")):
        measured.expected[text] = {
            "verdict": verdict, "numbers": "1 < 2", "groups": ["ways"],
        }  # fmt: skip
    results.save(measured)
    text = page(stamps)
    assert "It gains. | not so | 1 \\< 2" in text and "It holds." not in text
