"""The scoreboard in a browser: filters, order, links, and without a script.

Needs Debian's ``chromium``; the pages are opened from ``file://``.
"""

import re

import pytest

LINK = re.compile(
    r'href="(?:\.\./)?(notebooks/\w+/\w+\.html)#(claim-[a-z0-9-]+)"'
)
ROWS = ".otf-score tbody tr"


@pytest.fixture
def board(html):
    """The address of the scoreboard."""
    return (html / "book" / "scoreboard.html").as_uri()


@pytest.fixture
def page(browser, board):
    """The scoreboard, opened."""
    page = browser.new_page()
    page.goto(board)
    yield page
    page.close()


# What the cells of a column are sorted by, from above.
KEYS = """name => [...document.querySelectorAll('.otf-score tbody tr')].map(
  row => {
    const {cellIndex} = document.querySelector(`th[data-name=${name}]`);
    const cell = row.cells[cellIndex];
    return cell.dataset.key ?? cell.textContent.trim();
  })"""


def number(text):
    """Tell whether a text is a number."""
    return bool(re.fullmatch(r"-?[\d.]+(e-?\d+)?", text))


def visible(page):
    """Return the attributes of the rows that can be seen."""
    return page.locator(f"{ROWS}:visible").evaluate_all(
        "rows => rows.map(row => ({...row.dataset}))"
    )


def said(page):
    """Return the numbers on the form: shown, and of how many."""
    text = page.locator(".otf-filter output").inner_text()
    return [int(number) for number in re.findall(r"\d+", text)]


def reach(page, name):
    """Press Tab until the field of a name, or the button, has the focus."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name || "
                         "document.activeElement.type") == name:  # fmt: skip
            return
    pytest.fail(f"Tab never reaches {name}")


def test_the_keyboard_filters_and_shows_all_again(page):
    every = len(visible(page))
    assert every and said(page) == [every, every]
    reach(page, "verdict")
    page.keyboard.press("ArrowDown")
    chosen = page.locator("select[name=verdict]").input_value()
    rows = visible(page)
    assert chosen and {row["verdict"] for row in rows} == {chosen}
    assert said(page) == [len(rows), every]
    reach(page, "text")
    page.keyboard.type("no such words")
    assert said(page) == [0, every] and not visible(page)
    reach(page, "reset")
    page.keyboard.press("Enter")
    page.wait_for_function("location.hash === ''")
    assert len(visible(page)) == every


def test_a_filtered_view_has_an_address(page, browser):
    page.locator("select[name=source]").select_option(index=1)
    page.locator("select[name=machine]").select_option("here")
    page.locator("input[name=text]").fill("π & 100 %")
    page.locator("input[name=text]").fill("the")
    other = browser.new_page()
    other.goto(page.url)
    assert "#" in page.url and visible(other) == visible(page)
    assert 0 < len(visible(other)) < page.locator(ROWS).count()
    other.close()


def test_the_keyboard_sorts_by_a_column_and_back(page):
    columns = page.locator(".otf-score thead th")
    for name in columns.evaluate_all("all => all.map(h => h.dataset.name)"):
        head = page.locator(f"th[data-name={name}]")
        head.locator("button").focus()
        seen = []
        for _ in range(2):
            page.keyboard.press("Enter")
            order = head.get_attribute("aria-sort")
            assert page.locator("th[aria-sort]").count() == 1
            keys = page.evaluate(KEYS, name)
            given = [key for key in keys if key != ""]
            assert keys == given + [""] * (len(keys) - len(given))
            up = sorted(given, key=lambda k: float(k) if number(k) else 0)
            if all(map(number, given)):
                assert given == (up if order == "ascending" else up[::-1])
            seen.append(order)
        assert sorted(seen) == ["ascending", "descending"]
        assert f"sort={'-' * (order == 'descending')}{name}" in page.url


def test_which_claim_of_a_slide_fell_most_and_why(page, board, browser):
    page.locator("input[name=slide]").fill("22")
    page.locator("th[data-name=fall] button").click()
    other = browser.new_page()
    other.goto(page.url)
    for one in (page, other):
        rows = visible(one)
        assert 1 < len(rows) < page.locator(ROWS).count()
        assert all(":22" in row["places"] for row in rows)
        first = one.locator(f"{ROWS}:visible").first
        assert "×" in first.locator("td").nth(1).inner_text()
        summary = first.locator("summary")
        summary.click()
        assert len(first.locator("details").inner_text()) > 20
    other.close()


def test_a_slide_has_the_claims_that_it_shares_with_another_talk(page):
    page.locator("select[name=source]").select_option("okuda2018tfug")
    page.locator("input[name=slide]").fill("7")
    assert "okuda2018pyconjp" in {row["source"] for row in visible(page)}


def test_on_a_phone_the_table_scrolls_in_its_box(browser, board):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(board)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator(".otf-board")
    wide, seen = box.evaluate("b => [b.scrollWidth, b.clientWidth]")
    assert wide > seen
    right = page.locator("th[data-name=fall]").bounding_box()
    assert right["x"] + right["width"] <= 390
    page.close()


def test_an_address_that_chooses_nothing_shows_all(page, board):
    for hash_ in ("#verdict=nothing", "#every-claim", "#%"):
        page.goto("about:blank")
        page.goto(board + hash_)
        assert len(visible(page)) == page.locator(ROWS).count()


def test_without_its_script_the_table_is_whole(browser, board):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(board)
    assert page.locator(f"{ROWS}:visible").count() > 200
    assert not page.locator(".otf-filter").is_visible()
    context.close()


def test_a_row_leads_to_the_claims_row_and_unfolds_it(page):
    page.locator(f"{ROWS}[data-verdict=reproduced] a").first.click()
    page.wait_for_url("**/notebooks/*/*#claim-*")
    name = page.url.partition("#")[2]
    place = page.locator(f"[id='{name}']")
    place.wait_for(state="visible")
    assert place.evaluate("it => it.closest('details').open")
    card = place.evaluate("""it => {
      const box = it.closest('tr').getBoundingClientRect();
      return [box.top, box.bottom, innerHeight];
    }""")
    top, bottom, end = card
    assert 0 < top < bottom < end


@pytest.mark.parametrize("name", ["scoreboard", "what_changed"])
def test_each_link_to_a_claim_has_its_place(html, name):
    text = (html / "book" / f"{name}.html").read_text("utf-8")
    links = set(LINK.findall(text))
    assert links
    pages = {file: (html / file).read_text("utf-8") for file, _ in links}
    lost = [link for link in links if f'id="{link[1]}"' not in pages[link[0]]]
    assert not lost
