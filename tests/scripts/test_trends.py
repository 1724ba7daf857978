"""The page of trends: which ratio it follows, and where it sees a step."""

import re

import pytest

import build_book
import kept
import small_books as books
from conftest import call
from keeping.store import Store
from onthefly import claims
from rendering import stage
from rendering.trends import chart, page
from rendering.trends.lines import Line, histories

STAMPS = {"55_one_decorator": {"chapter": kept.PAGE}}


@pytest.fixture
def store(tmp_path):
    """An empty store."""
    return Store(str(tmp_path / "store"), create=True)


@pytest.fixture
def fill(store, tmp_path):
    """A function that keeps runs of these ratios, one a day."""

    def add(ratios, **about):
        for day, ratio in enumerate(ratios):
            path = kept.run(tmp_path, ratio=ratio, day=day, **about)
            assert store.put(path, f"{day:08x}" * 5)

    return add


def history(store):
    """Return the History of the only page in a store."""
    (found,) = histories(store.entries()[0]).values()
    return found


def steps(store):
    """Return the days since the start on which a line's steps came."""
    (line,) = history(store).lines
    return [
        (after.points[0].entry.moment - kept.START).days
        for _, after in line.steps()
    ]


def rows(text):
    """Return the rows of the figures' tables on a page."""
    found = re.findall(r"<tr><td>(.*?)</td></tr>", text)
    return [row.split("</td><td>") for row in found]


def test_a_copy_without_a_store_has_no_figure_and_says_how_to_get_one():
    text = page.page(STAMPS, None)
    assert "<figure" not in text
    assert "--store" in text


def test_an_empty_store_has_no_figure(store):
    assert "<figure" not in page.page(STAMPS, store)


def test_runs_have_a_figure_with_a_table_row_each(store, fill):
    fill([2.0, 2.1, 2.2])
    text = page.page(STAMPS, store)
    assert text.count("<figure") == 1
    assert [row[2] for row in rows(text)] == ["2.00×", "2.10×", "2.20×"]
    assert "{doc}`/notebooks/55_one_decorator`" in text


def test_a_page_that_is_not_in_the_book_has_its_section_and_no_link(
    store, fill
):
    fill([2.0], page="gone-since")
    text = page.page(STAMPS, store)
    assert text.count("<figure") == 1
    assert "{doc}" not in text


@pytest.mark.parametrize("seed", range(5))
def test_a_step_is_found_on_its_day_and_noise_is_none(store, fill, seed):
    before, after = kept.noisy(2, seed), kept.noisy(1.6, seed + 50)
    fill([before() for _ in range(9)] + [after() for _ in range(7)])
    assert steps(store) == [9]
    text = page.page(STAMPS, store)
    assert [k for k, row in enumerate(rows(text)) if row[-1]] == [9]
    assert "`00000008` to `00000009`" in text  # the commits


def test_a_steady_ratio_has_no_step(store, fill):
    ratio = kept.noisy(2, 7)
    fill([ratio() for _ in range(20)])
    assert steps(store) == []


def test_one_run_that_is_off_is_no_step(store, fill):
    ratio = kept.noisy(2, 3)
    fill([ratio() for _ in range(8)] + [1.0] + [ratio() for _ in range(8)])
    assert steps(store) == []


def test_a_step_is_seen_past_a_run_that_is_off(store, fill):
    a, b = kept.noisy(2, 3), kept.noisy(1.5, 4)
    fill([a() for _ in range(8)] + [9.0] + [b() for _ in range(8)])
    assert steps(store) == [9]


def test_machines_presets_and_ids_are_lines_of_their_own(store, fill):
    fill([2.0], machine="mill")
    fill([2.0], machine="mill", preset="M")
    fill([2.0], machine="loom", id="aaaaaaaaaaaa")
    fill([2.0], machine="loom", id="bbbbbbbbbbbb")
    names = [line.name for line in history(store).lines]
    assert names == [
        "loom (aaaaaaaa), S", "loom (bbbbbbbb), S", "mill, M", "mill, S",
    ]  # fmt: skip


def test_at_most_five_lines_are_drawn_and_all_are_in_the_table(store, fill):
    for k in range(7):
        fill([2.0] * (1 + (k > 1)), machine=f"box-{k}")
    found = history(store)
    drawn = found.chosen(chart.MOST)
    assert [line.name for line in drawn] == [
        f"box-{k}, S" for k in (2, 3, 4, 5, 6)
    ]
    legend = chart.chart(found).figure.axes[0].get_legend()
    assert len(legend.get_texts()) == chart.MOST
    text = page.page(STAMPS, store)
    assert {row[0] for row in rows(text)} == {f"box-{k}, S" for k in range(7)}


def test_the_newest_run_says_what_the_headline_is(store, fill, tmp_path):
    fill([2.0, 2.0])
    assert history(store).of[0] == "times"
    store.put(kept.run(tmp_path, ratio=3, day=9, claim=True))
    found = history(store)
    assert found.of == ("claim", kept.CLAIM)
    assert [len(line.points) for line in found.lines] == [1]
    assert "<figure" in page.page(STAMPS, store)


def test_what_is_damaged_is_counted_and_the_rest_is_shown(
    store, fill, tmp_path
):
    fill([2.0, 2.1])
    path = tmp_path / "store" / store.names()[0]
    path.chmod(0o644)
    path.write_text("{")
    text = page.page(STAMPS, store)
    assert len(rows(text)) == 1
    assert "history.py check" in text


def test_a_page_without_a_ratio_is_named(store, fill, tmp_path):
    fill([2.0])
    path = kept.run(tmp_path, page="races", ratio=None)
    assert store.put(path)
    text = page.page(STAMPS, store)
    assert text.count("<figure") == 1
    assert claims.load().chapters["races"] in text


def test_few_runs_have_no_step(store, fill):
    fill([2.0, 1.0])
    assert steps(store) == []
    assert isinstance(history(store).lines[0], Line)


def test_another_run_makes_the_book_anew(store, fill):
    before = stage.digests({}, {}, store.names())
    fill([2.0])
    after = stage.digests({}, {}, store.names())
    assert before["frame"] == after["frame"]
    assert before["pages"] != after["pages"]


@pytest.fixture
def book(tmp_path):
    """A small book with the page."""
    small = books.Book(tmp_path / "small")
    toc = small.root / "_toc.yml"
    pages = ("sweeps", "regression", "trends")  # they refer to one another
    toc.write_text(
        books.TOC + "".join(f"  - file: book/{p}\n" for p in pages)
    )
    for name in pages:
        small.write(name, f"({name})=\n# By hand\n")
    return small


def test_a_store_that_is_none_is_refused(book, tmp_path):
    line = book.arguments("--store", tmp_path / "none")
    done = call(build_book.main, *line)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "none" in done.stderr
    assert not book.index.parent.exists()


@pytest.mark.slow
def test_the_book_shows_what_a_store_keeps(book, store, fill):
    html = book.build / "html" / "book" / "trends.html"
    made = book.make()
    assert made.returncode == 0, made.stderr
    assert "<figure" not in html.read_text()
    fill([2.0] * 4 + [1.0] * 4)
    made = book.make(ONTHEFLY_STORE=str(store.place))
    assert made.returncode == 0, made.stderr
    text = html.read_text()
    assert text.count("<figure") == 1
    (link,) = set(re.findall(r'internal" href="#(trend-[^"]*)"', text))
    assert f'id="{link}"' in text
    assert str(store.place) not in text
    assert "unchanged" in book.make("--store", store.place).stdout
