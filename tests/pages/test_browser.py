"""The built book in a browser: offline, accessible, on a phone, searchable.

Needs Debian's ``chromium``; the pages are opened from ``file://``.
"""

import os
import shutil

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

PHONE = {"width": 375, "height": 740}
WIDE = {"width": 1280, "height": 720}
LOCAL = ("file:", "data:", "blob:")


@pytest.fixture(scope="module")
def browser():
    """One headless Chromium for all tests of this file."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say("needs a browser: install Debian's package chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


def files(html):
    """Return the book's pages: no template, no index that only leads on."""
    found = sorted(
        path
        for path in html.rglob("*.html")
        if "_static" not in path.parts and path != html / "index.html"
    )
    assert any(path.parent.name == "notebooks" for path in found)
    return found


def settle(page, path):
    """Open a page and wait until its mathematics is typeset."""
    page.goto(path.as_uri())
    page.evaluate("() => window.MathJax?.startup?.promise")


def each_page(browser, html, **options):
    """Open every page in turn; yield its name and the Playwright page."""
    context = browser.new_context(**options)
    page = context.new_page()
    for path in files(html):
        settle(page, path)
        yield path.relative_to(html).as_posix(), page
    context.close()


OPEN = "document.querySelectorAll('details').forEach(d => d.open = true)"
THEME = "document.documentElement.dataset.theme"
WIDTH = "document.documentElement.scrollWidth"
LABELS = """all => all.map(
  svg => [svg.getAttribute('role'), svg.getAttribute('aria-label')])"""


# Light and dark pages differ in their colours only.
RULES = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
# Code tokens of a class look alike: three of each are enough to judge, and
# thousands take axe half a minute.
THIN_CODE = """() => {
  const seen = {};
  for (const token of document.querySelectorAll('.highlight pre span')) {
    seen[token.className] = (seen[token.className] || 0) + 1;
    if (seen[token.className] > 3) token.replaceWith(token.textContent);
  }
}"""


def serious(page, scheme="light"):
    """Return axe's serious and critical findings on a page, in short."""
    page.evaluate(THIN_CODE)
    # It would fetch the style sheets, which a page from a file may not.
    options = {"resultTypes": ["violations"], "preload": False}
    options |= RULES[scheme]
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{v['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for v in found
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]


@pytest.fixture(scope="module")
def log(browser, html):
    """What every page asked for, complained of and drew: it is opened once.

    Of each figure: its page, role and label; of each page: what axe finds.
    """
    seen = {
        "requests": [], "failed": [], "errors": [], "figures": [],
        "serious": {},
    }  # fmt: skip
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.on("request", lambda r: seen["requests"].append(r.url))
    page.on("requestfailed", lambda r: seen["failed"].append(r.url))
    page.on("pageerror", lambda e: seen["errors"].append(f"{page.url}: {e}"))

    def hear(message):
        if message.type == "error":
            seen["errors"].append(f"{page.url}: {message.text}")

    page.on("console", hear)
    for path in files(html):
        settle(page, path)
        found = page.locator("figure svg").evaluate_all(LABELS)
        seen["figures"] += [(path.name, *labels) for labels in found]
        seen["serious"][path.name] = serious(page)
    context.close()
    return seen


@pytest.fixture(scope="module")
def dark(browser, html):
    """What every page is in the dark: it is opened once, on a phone.

    Its theme and its width there, with all that folds opened; then what axe
    finds on a wide screen.
    """
    seen = {"themes": {}, "widths": {}, "serious": {}}
    look = {"color_scheme": "dark", "viewport": PHONE}
    for name, page in each_page(browser, html, **look):
        seen["themes"][name] = page.evaluate(THEME)
        page.evaluate(OPEN)
        seen["widths"][name] = page.evaluate(WIDTH)
        page.set_viewport_size(WIDE)
        seen["serious"][name] = serious(page, "dark")
        page.set_viewport_size(PHONE)
    return seen


def test_no_request_leaves_the_page(log):
    away = [url for url in log["requests"] if not url.startswith(LOCAL)]
    assert log["requests"]
    assert not away


def test_all_that_a_page_asks_for_is_there(log):
    assert not log["failed"]


def test_no_error_on_the_console(log):
    assert not log["errors"]


def test_the_first_page_leads_into_the_book(browser, html):
    page = browser.new_page()
    page.goto((html / "index.html").as_uri())
    page.wait_for_url("**/book/index.html")
    assert page.locator("h1").first.inner_text().startswith("Python on")
    page.close()


@pytest.mark.parametrize("scheme", RULES)
def test_axe_sees_what_is_wrong(browser, scheme):
    page = browser.new_page()
    page.set_content("<title>t</title><p style='color:#ccc'>faint</p>")
    found = serious(page, scheme)
    assert any(line.startswith("color-contrast") for line in found)
    page.close()


def kept(seen, good):
    """Return what of {page: finding} is not good."""
    assert seen
    return {page: found for page, found in seen.items() if not good(found)}


def test_a_page_is_dark_where_the_reader_wants_it(dark):
    assert not kept(dark["themes"], lambda theme: theme == "dark")


@pytest.mark.parametrize("scheme", RULES)
def test_axe_finds_no_serious_violation(log, dark, scheme):
    seen = log if scheme == "light" else dark
    assert not kept(seen["serious"], lambda found: not found)


def test_a_phone_shows_no_sideways_scroll(dark):
    assert not kept(dark["widths"], lambda width: width <= PHONE["width"])


def test_search_finds_the_gil(browser, html):
    page = browser.new_page()
    page.goto((html / "search.html").as_uri() + "?q=GIL")
    results = page.locator("#search-results li")
    results.first.wait_for(timeout=10_000)
    assert "gil" in " ".join(results.all_inner_texts()).lower()
    page.close()


def test_each_figure_says_in_words_what_it_shows(log):
    mute = [
        (name, role, label)
        for name, role, label in log["figures"]
        if role != "img" or not (label or "").strip()
    ]
    assert log["figures"]
    assert not mute


def test_the_keyboard_opens_the_data_of_a_figure(browser, html):
    for _, page in each_page(browser, html):
        if page.locator("details.otf-data").count():
            break
    else:
        pytest.fail("no page has a figure's data")
    at = "document.activeElement.matches('details.otf-data > summary')"
    for _ in range(300):
        page.keyboard.press("Tab")
        if page.evaluate(at):
            break
    else:
        pytest.fail("Tab never reaches the data")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open")
