"""The page "Which one should I choose?", from results alone."""

import html
import json
import re

import pytest

from cases import LAWS, eight_problems
from choosing import words
from onthefly import figures, findings, results
from onthefly.experiments.choice import prediction
from onthefly.models import Curve
from rendering.which import calculator, page, readers, tested, tiles, winners

STAMPS = {
    "06_eight_problems": {"chapter": "eight-problems", "machine": "box"}
}


@pytest.fixture
def copy(shelf):
    """A function that keeps results as this copy's."""

    def make(**options):
        results.save(eight_problems(**options))
        return page.page(STAMPS)

    return make


def own(**options):
    return prediction.choices(eight_problems(**options))


def cells(text):
    """Return the tiles of a map as {(row, column): text}."""
    rows = re.findall(r"<tr>(.*?)</tr>", text, re.S)
    head, *body = (
        [
            html.unescape(re.sub(r"<[^>]+>", " ", cell)).split()
            for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
        ]
        for row in rows
    )
    return {
        (" ".join(size), " ".join(name)): " ".join(cell)
        for size, *line in body
        for name, cell in zip(head[1:], line, strict=True)
    }


def test_a_copy_without_results_says_so_and_keeps_its_links(shelf):
    text = page.page({})
    assert "cannot say" in text and "scripts/run.py" in text
    for label in ("which-one", "which-one-loop", "which-one-call"):
        assert f"({label})=" in text


def test_what_another_machine_recorded_is_said_to_be_its(shelf):
    results.save(eight_problems("other"), results.RECORDED)
    text = page.page({})
    assert "Recorded, not measured in this copy" in text and "other" in text
    assert "{ref}`eight-problems`" not in text  # which is not in this copy


def test_the_page_has_its_parts_and_their_targets(copy):
    text = copy()
    for label in ("which-one", "which-one-loop", "which-one-call"):
        assert f"({label})=" in text
    for name in ("polynomial", "words"):
        assert f"regions-{name}" in text
    assert 'id="otf-choices"' in text and "{" not in re.sub(
        r"\{(ref|raw|admonition)\}|```.*?```|\$\$.*?\$\$|\$[^$]*\$",
        "", text, flags=re.S,
    )  # fmt: skip


def test_in_short_names_the_winners(copy):
    short = copy().split(":::")[1]
    for n, calls in ((page.MANY, page.OFTEN), (page.FEW, 1)):
        best = {
            choices.winner(n, calls=calls, device=False)
            for choices in own().values()
        }
        (way,) = {winner.way for winner in best if winner.resolved}
        assert f"**{way}**: {findings.listed(list(own()))}" in short


@pytest.mark.parametrize(("off", "met"), [(1.0, True), (1.5, False)])
def test_the_test_is_told_also_when_it_fails(copy, off, met):
    text = copy(off=off)
    every = own(off=off)
    share = prediction.hits(every.values()).note
    assert f"{share} (" in text
    assert (tested.SAID[False] in tested.sentences(every)) is not met


def test_a_figure_shows_each_prediction(copy):
    text = tested.figure(own())
    count = sum(len(one.unseen) for one in own().values())
    assert f"measured times, {count} of them" in text


def test_a_tile_names_winner_gain_and_cause():
    every = {"box": own()}
    found = cells(tiles.tables(every, "box", "polynomial"))
    best = every["box"]["polynomial"].winner(
        10**5, calls=1000, workers=2, device=False
    )
    tile = found["100,000", "1,000 calls"]
    assert tile.startswith(f"NumPy {best.gain.short} {best.gain.interval};")
    choices = every["box"]["polynomial"]
    options = {"calls": 1000, "workers": 2}
    assert tile.endswith(words.decides(choices, best, 10**5, **options))
    assert found["10", "1 call"].startswith(choices.winner(10).way)


def test_what_is_not_resolved_or_not_measured_has_no_winner():
    twin = LAWS["NumPy"]
    every = {"box": own(Numba=twin)}
    first, *_ = tiles.tables(every, "box", "polynomial").split("<details")
    found = cells(first)
    open_ = [tile for tile in found.values() if " or " in tile]
    assert open_ and all(words.again("S") in tile for tile in open_)
    assert {found["10,000,000", c] for c in ("1 call", "1,000 calls")} == {
        f"not measured: {words.further('S', 10**7)}"
    }


def test_more_cores_are_recorded_ones_or_predicted():
    every = {"box": own(), "many": own(slug="many", cores=16)}
    text = tiles.tables(every, "box", "polynomial")
    titles = re.findall(r"<summary>(.*?)</summary>", text)
    assert titles[1:3] == ["1 core", "4 cores: predicted from 1 and 2"]
    assert titles[3].startswith("16 cores: recorded, many, ")


def test_a_device_wins_in_a_table_of_its_own_alone():
    every = {"box": own()}
    choices = every["box"]["polynomial"]
    assert choices.winner(10**5, calls=10**6).way == "CuPy"
    plain, *folded = tiles.tables(every, "box", "polynomial").split(
        "<details"
    )
    there = [table for table in folded if "CuPy" in table]
    assert "CuPy" not in plain and there == [folded[0]]
    assert "GPU" not in tiles.tables(every, "box", "words")
    assert "CuPy" not in winners.regions(choices).values()


def test_the_figure_leaves_open_what_is_not_resolved():
    found = winners.regions(own()["polynomial"])
    assert found[10, 1] == "Python"
    assert {*winners.HATCHED} < {*found.values()}
    assert max(n for n, _ in found) < 5 * 10**6
    names = winners.ahead({"p": found})
    chart = figures.regions(
        found, x="elements", y="calls", names=names, hatched=winners.HATCHED
    )
    texts = [t.get_text() for t in chart.figure.axes[0].get_legend().texts]
    assert texts == [*names, *winners.HATCHED]
    assert len(chart.rows) == len(winners.CALLS)


def test_the_routine_is_called_by_its_name():
    from onthefly.experiments.choice.problems import PROBLEMS

    choices = own()["words"]
    assert words.name(choices, "routine") == PROBLEMS["words"].routine
    assert words.name(choices, "NumPy") == "NumPy"


def test_no_name_of_a_way_reads_as_two():
    choices = own()["polynomial"]
    assert "Numba, prange" in choices.costs
    for way in choices.costs:
        assert "," not in words.name(choices, way) + winners.called(way)


def test_the_numbers_behind_the_calculator_are_json():
    text = calculator.form({"box": eight_problems()}, "box")
    inside = re.search(r'id="otf-choices">(.*?)</script>', text, re.S)[1]
    numbers = json.loads(inside)
    costs = numbers["machines"]["box"]["problems"]["polynomial"]["costs"]
    assert set(costs) == set(own()["polynomial"].costs)
    assert costs["NumPy"]["curve"]["pieces"][-1][0] is None


def test_a_name_cannot_end_the_numbers():
    found = eight_problems("</script>")
    text = calculator.form({"</script>": found}, "</script>")
    assert text.count("</script>") == 2  # their own ends


def test_the_loop_on_four_cores_is_answered():
    two = own()["polynomial"]
    told = "\n".join(readers.loop({"box": own()}, "box"))
    assert words.cores(two, 4) in told
    four = own(cores=4)
    best = four["polynomial"].winner(
        10**5, calls=1000, workers=4, data="lists", device=False
    )
    told = "\n".join(readers.loop({"box": four}, "box"))
    assert not words.cores(four["polynomial"], 4)
    assert four["polynomial"].found.origin in told
    assert words.left_open(four["polynomial"], best) in told
    assert not any("CuPy" in part for part in told.splitlines())


@pytest.mark.parametrize(
    ("call", "helps"), [((4, 1e-3, 1e-9), False), ((1e-3, 1e-6, 1e-9), True)]
)
def test_whether_tensorflow_would_help(call, helps):
    every = own(TensorFlow=call)
    choices = every["polynomial"]
    size = readers.size_of(choices.costs["Python"].curve, readers.CALL)
    ranked = choices.ranked(size, calls=readers.CALLS, data="lists")
    faster = ranked["TensorFlow"] < ranked["Python"]
    said, table, _ = readers.call(every)
    assert faster.holds is helps
    assert said.startswith("Yes" if helps else "No")
    assert str(prediction.gain(ranked, "TensorFlow")) in table


YES, NO, OPEN = (1e-3, 1e-6, 1e-9), (4, 1e-3, 1e-9), (0.1, 1.5e-5, 1e-9)


@pytest.mark.parametrize(
    ("laws", "said"),
    [
        ([OPEN], "not resolved here: run at M"),
        ([NO, OPEN, OPEN], "not resolved here: run at M"),
        ([YES, OPEN, OPEN], "not resolved here: run at M"),
        ([NO, NO, OPEN], "No, whichever"),
        ([YES, YES, OPEN], "Yes, whichever"),
        ([YES, NO, OPEN], "depends"),
    ],
)
def test_what_is_left_open_is_neither_yes_nor_no(laws, said):
    every = {
        str(k): own(TensorFlow=law)["polynomial"]
        for k, law in enumerate(laws)
    }
    told, *_ = readers.call(every)
    assert said in told
    assert ("as far as" in told) == ("whichever" in told)


def test_without_tensorflow_the_question_stays_open():
    found = eight_problems()
    del found.timings["polynomial"]
    (told,) = readers.call(prediction.choices(found))
    assert "not measured" in told


@pytest.mark.parametrize(
    ("seconds", "size"), [(2e-5, 10), (2.5e-4, None), (5e-4, 200), (1, None)]
)
def test_the_size_at_which_a_call_takes_so_long(seconds, size):
    curve = Curve(((100, 1e-5, 1e-6), (float("inf"), 1e-4, 2e-6)), 0.1, 1e3)
    assert readers.size_of(curve, seconds) == size
