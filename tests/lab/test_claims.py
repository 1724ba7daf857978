"""The ledger: its schema and its rules."""

import pytest

from onthefly import claims, results
from onthefly.quantity import Quantity
from onthefly.refused import Refused

ROOT = results.ROOT


@pytest.fixture
def ledger(tmp_path):
    """A copy of the ledger's folder that a test may break."""
    for name in ("claims.yml", "claims.schema.json", "references.bib"):
        text = (ROOT / "book" / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "claims.yml"


def test_the_ledger_is_whole():
    ledger = claims.load()
    assert len(ledger.claims) >= 255
    for slug in claims.written():
        assert slug in ledger.chapters
        for claim in ledger.of(slug):
            device = claims.GPU.intersection(claim.needs)
            measurable = claim.kind != "history" and not device
            if measurable and not claim.expect:
                # Only a claim that the chapter itself declares open.
                assert claim.id in OPEN, claim.id


OPEN = {"packages-fast-execution-versus-fast-development"}


def test_a_written_chapter_has_claims():
    assert set(claims.written()) <= {
        c.chapter for c in claims.load().claims.values()
    }


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("chapter: gil-races", "chapter: gil-rices",
         ["race-threshold", "unknown chapter 'gil-rices'", "add it"]),
        ("    source: okuda2018tfug\n", "",
         ["pi-error-and-time", "must contain ['source']"]),
        ("source: okuda2018tfug\n", "source: nobody\n",
         ["pi-error-and-time", "'nobody' is not in references.bib"]),
        ("kind: law", "kind: lore", ["pi-hit-ratio", "must be one of"]),
        ("needs: [cpu]", "needs: [abacus]", ["pi-hit-ratio", "needs/0"]),
        ("rule: equals, value: -0.5, within: 0.05", "rule: equals",
         ["pi-error-power-law", "must contain"]),
        ("id: pi-error-power-law", "id: pi-hit-ratio-estimate",
         ["stands twice"]),
        ("  okuda2018tfug: ", "  nobody: ",
         ["'okuda2018tfug' has no name", "under 'sources'"]),
        ("claims:\n", "claims: [\n", ["not YAML", "line"]),
    ],
)  # fmt: skip
def test_a_broken_ledger_names_the_place(ledger, old, new, words):
    text = ledger.read_text(encoding="utf-8")
    assert old in text
    ledger.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Refused) as caught:
        claims.load(ledger)
    line = str(caught.value)
    assert str(ledger) in line and "line" in line
    assert line.count("\n") == 0
    for word in words:
        assert word in line


def claim(rule, **expect):
    base = claims.load().claims["pi-error-power-law"]
    fields = {**vars(base), "expect": {"rule": rule, **expect}}
    return claims.Claim(**fields)


def q(value, low, high, unit="×"):
    return Quantity(value, low, high, unit)


INF = float("inf")


@pytest.mark.parametrize(
    ("rule", "expect", "quantity", "verdict"),
    [
        ("near", {"value": 1.8}, q(1.9, 1.8, 2.0), "reproduced"),
        ("near", {"value": 1.8}, q(2.6, 2.5, 2.7), "stronger"),
        ("near", {"value": 1.8}, q(1.2, 1.1, 1.3), "weaker"),
        ("near", {"value": 1.8}, q(0.7, 0.6, 0.8), "contradicted"),
        ("near", {"value": 0.7}, q(0.2, 0.1, 0.3), "stronger"),
        ("near", {"value": 0.7}, q(1.2, 1.1, 1.3), "contradicted"),
        ("near", {"value": 1}, q(1.5, 1.4, 1.6), "contradicted"),
        ("near", {"value": 1.8}, q(1.8, 0.5, 5.0), "not measurable here"),
        ("near", {"value": 1.8}, q(2.4, 2.0, 2.8), "not measurable here"),
        ("near", {"value": 1.8}, q(1.8, -INF, INF), "not measurable here"),
        ("near", {"value": 0.006}, q(0.02, 0.01, 0.03, "s"), "stronger"),
        ("near", {"value": 0.006}, q(0.001, 9e-4, 2e-3, "s"), "weaker"),
        ("equals", {"value": -0.5, "within": 0.05},
         q(-0.52, -0.54, -0.5, ""), "reproduced"),
        ("equals", {"value": -0.5, "within": 0.05},
         q(-0.3, -0.32, -0.28, ""), "contradicted"),
        ("equals", {"value": -0.5, "within": 0.05},
         q(-0.5, -0.9, -0.1, ""), "not measurable here"),
        ("equals", {"value": -0.5, "within": 0.05},
         q(-0.42, -0.46, -0.38, ""), "not measurable here"),
        ("at most", {"value": 1}, q(0.9, 0.8, 0.95), "reproduced"),
        ("at most", {"value": 1}, q(1.2, 1.1, 1.3), "contradicted"),
        ("at most", {"value": 1}, q(1.0, 0.9, 1.1), "not measurable here"),
        ("at least", {"value": 1}, q(1.2, 1.1, 1.3), "reproduced"),
        ("at least", {"value": 1}, q(0.8, 0.7, 0.9), "contradicted"),
        ("at least", {"value": 1}, q(1.0, 0.9, 1.1), "not measurable here"),
        ("holds", {}, Quantity.share(20, 20), "reproduced"),
        ("holds", {}, Quantity.share(16, 20), "weaker"),
        ("holds", {}, Quantity.share(3, 20), "contradicted"),
        ("holds", {}, Quantity.share(0, 20), "contradicted"),
        ("occurs", {}, Quantity.share(1, 20), "reproduced"),
        ("occurs", {}, Quantity.share(0, 20), "contradicted"),
    ],
)  # fmt: skip
def test_the_rules(rule, expect, quantity, verdict):
    assert claims.judge(claim(rule, **expect), quantity).verdict == verdict


def test_a_busy_machine_refutes_nothing():
    busy = Quantity(1.2, 1.1, 1.3, "×", contended=True)
    found = claims.judge(claim("near", value=1.8), busy)
    assert found.verdict == "not measurable here"
    assert "other programs" in found.reason
    fine = Quantity(1.8, 1.7, 1.9, "×", contended=True)
    assert claims.judge(claim("near", value=1.8), fine).verdict == (
        "reproduced"
    )


def test_a_wrong_unit_is_refused():
    with pytest.raises(ValueError, match="measured in '×'"):
        claims.judge(claim("near", value=1, unit="s"), q(1, 1, 1))
