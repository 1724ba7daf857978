"""The page of all verdicts and machines, and the count on the first."""

import re

import pytest

from onthefly import claims, machine, results
from rendering import status
from rendering.copy import Copy


@pytest.fixture
def stamps(measured, archive):
    """What a run of one chapter on a machine of its own left."""
    measured.machine["slug"] = "box"
    results.save(measured)
    return {
        "14_what_a_shot_buys": {
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
    own = [
        c for c in claims.load().claims.values() if c.source == claims.AIMS
    ]
    assert own and f"{len(own)} that this book set itself" in text


def test_a_conclusion_that_does_not_hold_is_listed(measured, stamps):
    for text, verdict in (("It gains.", "not so"), ("It holds.", "holds")):
        measured.expected[text] = {"verdict": verdict, "found": "1 < 2"}
    results.save(measured)
    text = page(stamps)
    assert "It gains. | not so | 1 \\< 2" in text and "It holds." not in text


def text_of(record, monkeypatch):
    """Return the page of a copy in which nothing ran, on this machine."""
    monkeypatch.setattr(machine, "record", lambda: record)
    return page({})


def test_a_gpu_of_which_less_is_known_is_told(gpus, monkeypatch):
    unknown = ("memory", "limit", "default", "ecc", "sm", "reasons")
    gpus(dict.fromkeys(unknown))
    record = machine.record()
    text = text_of(record, monkeypatch)
    assert "NVIDIA H200, driver 580" in text
    assert "before the run ? MHz and memory 3201 MHz" in text
    assert "ECC" not in text and "power" not in text
    old = {"name": "NVIDIA H200", "memory": 2**37, "driver": "580.65.06"}
    text = text_of(record | {"gpus": [old]}, monkeypatch)
    assert "NVIDIA H200, 128 GiB, driver 580.65.06<" in text
