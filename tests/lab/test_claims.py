"""The ledger: its schema and its rules."""

import dataclasses
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from onthefly.errors import UserError
from onthefly.measure.quantity import Quantity
from onthefly.page import claims, needs, results

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
            device = any(map(needs.on_device, claim.needs))
            measurable = claim.kind != "history" and not device
            # Of what is judged, a rule; some parts nothing can judge.
            judged = measurable and claim.reading["part"] != "none"
            assert claim.expect or not judged, claim.id


def test_a_slip_was_tried_with_the_software_of_its_time():
    for claim in claims.load().claims.values():
        if not claim.cause or claim.cause["kind"] != "slip":
            continue
        alone = claim.reading.get("software") == "then"
        beside = [
            claim.id in r.today for r in results.recorded(claim.chapter)
        ]
        assert alone or any(beside), claim.id


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("chapter: races", "chapter: rices",
         ["race-global", "unknown chapter 'rices'", "add it"]),
        ("    source: okuda2018tfug\n", "",
         ["pi-error-and-time", "must contain ['source']"]),
        ("source: okuda2018tfug\n", "source: nobody\n",
         ["pi-error-and-time", "'nobody' is not in references.bib"]),
        ("needs: [cpu]", "needs: [abacus]", ["pi-hit-ratio", "needs/0"]),
        ("rule: equals, value: -0.5, within: 0.05", "rule: equals",
         ["pi-error-power-law", "must contain"]),
        ("id: pi-error-power-law", "id: pi-hit-ratio-estimate",
         ["stands twice"]),
        ("  okuda2018tfug: ", "  nobody: ",
         ["'okuda2018tfug' has no name", "under 'sources'"]),
        ("claims:\n", "claims: [\n", ["not YAML", "line"]),
        ("rule: occurs, value: 0.05", "rule: occurs, of: cases",
         ["race-global", "must NOT match"]),
    ],
)  # fmt: skip
def test_a_broken_ledger_names_the_place(ledger, old, new, words):
    text = ledger.read_text(encoding="utf-8")
    assert old in text
    ledger.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UserError) as caught:
        claims.load(ledger)
    line = str(caught.value)
    assert str(ledger) in line and "line" in line
    assert line.count("\n") == 0
    for word in words:
        assert word in line


def claim(rule, **expect):
    base = claims.load().claims["pi-error-power-law"]
    return dataclasses.replace(base, expect={"rule": rule, **expect})


def q(value, low, high, unit="×"):
    return Quantity(value, low, high, unit)


INF = math.inf


@pytest.mark.parametrize(
    ("rule", "expect", "quantity", "verdict"),
    [
        ("near", {"value": 1.8}, q(1.9, 1.8, 2.0), "reproduced"),
        ("near", {"value": 1.8}, q(2.6, 2.5, 2.7), "stronger"),
        ("near", {"value": 1.8}, q(1.2, 1.1, 1.3), "weaker"),
        ("near", {"value": 1.8}, q(0.7, 0.6, 0.8), "contradicted"),
        ("near", {"value": 0.7}, q(0.2, 0.1, 0.3), "stronger"),
        ("near", {"value": 1}, q(1.5, 1.4, 1.6), "contradicted"),
        ("near", {"value": 1.8}, q(2.4, 2.0, 2.8), "not resolved"),
        ("near", {"value": 1.8}, q(1.8, -INF, INF), "not resolved"),
        ("equals", {"value": -0.5, "within": 0.05},
         q(-0.52, -0.54, -0.5, ""), "reproduced"),
        ("equals", {"value": -0.5, "within": 0.05},
         q(-0.3, -0.32, -0.28, ""), "contradicted"),
        ("equals", {"value": -0.5, "within": 0.05},
         q(-0.42, -0.46, -0.38, ""), "not resolved"),
        ("at most", {"value": 1}, q(1.2, 1.1, 1.3), "contradicted"),
        ("at most", {"value": 1}, q(1.0, 0.9, 1.1), "not resolved"),
        ("at least", {"value": 1}, q(1.2, 1.1, 1.3), "reproduced"),
        ("at least", {"value": 1}, q(0.8, 0.7, 0.9), "contradicted"),
        ("at least", {"value": 2, "weaker": 1}, q(1.5, 1.4, 1.6), "weaker"),
        ("at least", {"value": 2, "weaker": 1}, q(0.8, 0.7, 0.9),
         "contradicted"),
        ("at least", {"value": 2, "weaker": 1}, q(1.1, 0.9, 1.3),
         "not resolved"),
        ("holds", {}, Quantity.share(60, 60), "reproduced"),
        ("holds", {}, Quantity.share(6, 6), "not resolved"),
        ("holds", {"value": 0.5}, Quantity.share(6, 6), "reproduced"),
        ("holds", {}, Quantity.share(35, 40), "weaker"),
        ("holds", {}, Quantity.share(12, 20), "not resolved"),
        ("holds", {}, Quantity.share(3, 20), "contradicted"),
        ("holds", {"of": "cases"}, Quantity.share(3, 3), "reproduced"),
        ("holds", {"of": "cases"}, Quantity.share(2, 3), "weaker"),
        ("holds", {}, Quantity.exact(0.5, "%"), "contradicted"),
        ("occurs", {"value": 0.1}, Quantity.share(1, 20), "reproduced"),
        ("occurs", {"value": 0.1}, Quantity.share(0, 6), "not resolved"),
        ("occurs", {"value": 0.1}, Quantity.share(0, 60), "contradicted"),
        ("occurs", {"value": 0.1}, Quantity.exact(0, "%"), "contradicted"),
        ("occurs", {}, Quantity.share(0, 6000), "not resolved"),
    ],
)  # fmt: skip
def test_the_rules(rule, expect, quantity, verdict):
    assert claims.judge(claim(rule, **expect), quantity).verdict == verdict


@pytest.mark.parametrize(
    ("held", "verdict"),
    [(3, claims.SHOWN), (2, "weaker"), (1, "contradicted")],
)
def test_what_was_only_looked_at_is_shown_and_can_fail(held, verdict):
    judged = claims.judge(claim("holds", shown=True), Quantity.share(held, 3))
    assert judged.verdict == verdict


def test_todays_software_is_judged_beside_that_of_then():
    own = results.Results("what-a-shot-buys", "S")
    own.quantities["pi-error-power-law"] = q(-0.5, -0.51, -0.49, "")
    own.today["pi-error-power-law"] = q(-0.3, -0.31, -0.29, "")
    one = claims.judge_results(claim("equals", value=-0.5, within=0.1), own)
    assert one.verdict == "reproduced"
    assert one.today.verdict == "contradicted"
    assert "contradicted" in one.row()["today"]


@pytest.mark.parametrize(
    ("rule", "expect", "quantity", "close"),
    [
        ("at least", {"value": 2}, q(2.5, 2.1, 2.9), True),
        ("at least", {"value": 2}, q(3.5, 3.1, 3.9), False),
        ("at most", {"value": 2}, q(2.5, 2.1, 2.9), True),
        ("near", {"value": 2}, q(2, 1.9, 2.1), False),
        ("near", {"value": 2}, q(2.2, 2, 2.4), True),
        ("at least", {"value": 2}, q(2, 1.5, 2.5), False),  # it is open
        ("holds", {}, Quantity.share(40, 40), False),
    ],
)
def test_a_verdict_that_is_close_to_its_bound_says_so(
    rule, expect, quantity, close
):
    judged = claims.judge(claim(rule, **expect), quantity)
    assert judged.close == close
    assert (claims.CLOSE_MEANS in judged.row()["reason"]) == close


@pytest.mark.parametrize(
    ("sessions", "verdict"),
    [(0, "reproduced"), (1, "not resolved"), (2, "not resolved"),
     (3, "reproduced")],
)  # fmt: skip
def test_what_few_sessions_find_close_to_a_bound_is_left_open(
    sessions, verdict
):
    near = dataclasses.replace(q(2.5, 2.1, 2.9), sessions=sessions)
    judged = claims.judge(claim("at least", value=2), near)
    assert judged.verdict == verdict and judged.close
    far = dataclasses.replace(near, value=3.5, low=3.1, high=3.9)
    judged = claims.judge(claim("at least", value=2), far)
    assert judged.verdict == "reproduced" and not judged.close


def test_what_counts_all_cases_is_shown_without_an_interval():
    judged = claims.judge(claim("holds", of="cases"), Quantity.share(2, 3))
    assert str(judged.quantity) == "66.7 %" and not judged.row()["interval"]


@pytest.mark.parametrize("rule", [{"of": "cases"}, {"shown": True}])
def test_a_case_that_is_undecided_leaves_open_what_it_decides(rule):
    yes, no, open_ = q(2, 1.9, 2.1), q(0.5, 0.4, 0.6), q(1, 0.9, 1.1)

    def verdict(*cases):
        held = Quantity.held([case > 1 for case in cases])
        return claims.judge(claim("holds", **rule), held).verdict

    assert verdict(yes, no, open_) == "not resolved"
    assert verdict(yes, yes, open_) == "not resolved"
    assert verdict(yes, yes, no, open_, yes) == "weaker"  # either way
    assert verdict(no, no, open_) == "contradicted"


@st.composite
def cases(draw, rules=("near", "equals", "at most", "at least")):
    """A rule, and an interval whose ends like to lie on the rule's edges."""
    rule = draw(st.sampled_from(rules))
    value = draw(st.floats(0.05, 20))
    expect, edges = {"value": value}, [value]
    if rule == "near":
        factor = expect["factor"] = draw(st.floats(1.05, 3))
        edges = [value / factor, value * factor, 1.0]
    elif rule == "equals":
        within = expect["within"] = draw(st.floats(0.01, 5))
        edges = [value - within, value + within]
    end = st.sampled_from(edges) | st.floats(0.01, 30)
    low, high = sorted((draw(end), draw(end)))
    inside = [low, high, *(e for e in edges if low <= e <= high)]
    inside += [math.nextafter(e, to) for e in inside for to in (low, high)]
    return rule, expect, (low, high), sorted(inside)


def verdict_of(rule, expect, low, high):
    middle = low + (high - low) / 2
    return claims.judge(claim(rule, **expect), q(middle, low, high)).verdict


@given(cases())
@example(("near", {"value": 2.0}, (0.5, 1.0), [0.5, 1.0]))
def test_a_verdict_is_that_of_every_number_in_the_interval(case):
    rule, expect, (low, high), inside = case
    each = {verdict_of(rule, expect, x, x) for x in inside}
    assert "not resolved" not in each
    assert verdict_of(rule, expect, low, high) == (
        each.pop() if len(each) == 1 else "not resolved"
    )


def test_a_wrong_unit_is_refused():
    with pytest.raises(ValueError, match="measured in '×'"):
        claims.judge(claim("near", value=1, unit="s"), q(1, 1, 1))
