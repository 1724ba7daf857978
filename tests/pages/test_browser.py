"""The built book in a browser: offline, accessible, on a phone, searchable.

Needs Debian's ``chromium``; the pages are opened from ``file://``.
"""

import pytest
from axe_playwright_python.sync_playwright import Axe

PHONE = {"width": 375, "height": 740}
LOCAL = ("file:", "data:", "blob:")
PARTS = 12  # into which the pages are dealt, for axe


def files(html):
    """Return the book's pages: no template, none that only leads on."""
    return sorted(
        path
        for path in html.rglob("*.html")
        if "_static" not in path.parts
        and path != html / "index.html"
        and path.parent != html / "notebooks"
    )


def settle(page, path):
    """Open a page and wait until its mathematics is typeset."""
    page.goto(path.as_uri())
    page.evaluate("() => window.MathJax?.startup?.promise")


def each_page(browser, html, some=slice(None), **options):
    """Open pages in turn; yield the name and the Playwright page of each."""
    context = browser.new_context(**options)
    page = context.new_page()
    for path in files(html)[some]:
        settle(page, path)
        yield path.relative_to(html).as_posix(), page
    context.close()


LABELS = """all => all.map(
  svg => [svg.getAttribute('role'), svg.getAttribute('aria-label')])"""
WIDTH = """() => {
  document.querySelectorAll('details').forEach(d => d.open = true);
  return document.documentElement.scrollWidth;
}"""


@pytest.fixture(scope="module")
def log(browser, html):
    """What every page asked for, complained of and drew, on a phone.

    Of each figure: its page, role and label.  Of each page: how wide it is
    with all that folds open.
    """
    seen = {"requests": [], "failed": [], "errors": [], "figures": []}
    seen["widths"] = {}
    context = browser.new_context(viewport=PHONE)
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
        figures = page.locator("figure svg").evaluate_all(LABELS)
        seen["figures"] += [(path.name, *labels) for labels in figures]
        seen["widths"][path.relative_to(html)] = page.evaluate(WIDTH)
    context.close()
    return seen


def test_no_request_leaves_the_page(log):
    away = [url for url in log["requests"] if not url.startswith(LOCAL)]
    assert log["requests"]
    assert not away


def test_all_that_a_page_asks_for_is_there(log):
    assert not log["failed"]


def test_no_error_on_the_console(log):
    assert not log["errors"]


# Code tokens of a class look alike, and so do the rows of a table and the
# pages in the sidebar: a few of each are enough to judge, and thousands take
# axe half a minute.
THIN = """() => {
  const seen = {};
  for (const token of document.querySelectorAll('.highlight pre span')) {
    seen[token.className] = (seen[token.className] || 0) + 1;
    if (seen[token.className] > 3) token.replaceWith(token.textContent);
  }
  document.querySelectorAll(
    'tbody tr:nth-child(n+5), nav li:nth-child(n+5):not(.current)').forEach(
    row => row.remove());
}"""
# What has the same classes within the same has the same colours.
ALIKE = """() => {
  const seen = {};
  const name = one => one.tagName + '.' + one.getAttribute('class');
  for (const leaf of [...document.body.querySelectorAll('*')]) {
    if (leaf.firstElementChild) continue;
    let within = '';
    for (let one = leaf; one; one = one.parentElement) within += name(one);
    seen[within] = (seen[within] || 0) + 1;
    if (seen[within] > 3) leaf.remove();
  }
}"""


def serious(page, **options):
    """Return axe's serious and critical findings on a page, in short."""
    # It would fetch the style sheets, which a page from a file may not.
    options |= {"resultTypes": ["violations"], "preload": False}
    violations = Axe().run(page, options=options).response["violations"]
    return [
        f"{v['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for v in violations
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]


def in_light_and_dark(page):
    """Return the findings on a light page, then of its colours when dark."""
    # No colour is looked at on its way to another.
    page.add_style_tag(content="* { transition: none !important }")
    page.evaluate(THIN)
    lines = serious(page)
    page.evaluate(ALIKE)
    page.emulate_media(color_scheme="dark")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    lines += serious(page, runOnly=["color-contrast"])
    page.emulate_media(color_scheme="light")
    return lines


def test_axe_sees_what_is_wrong(browser):
    page = browser.new_page(color_scheme="light")
    page.set_content("""<title>t</title><style>
      b { color: #ccc; background: white } i { background: white }
      @media (prefers-color-scheme: dark) { i { color: #ddd } }
      </style><main><b>faint</b> <i>faint when it is dark</i></main>""")
    light, dark = in_light_and_dark(page)[:1], in_light_and_dark(page)[-1:]
    assert "<b>" in light[0] and "color-contrast" in light[0]
    assert "<i>" in dark[0] and "color-contrast" in dark[0]
    page.close()


# In groups of their own, so that another worker may take one.
@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=pytest.mark.xdist_group(f"axe-{part}"))
        for part in range(PARTS)
    ],
)
def test_axe_finds_no_serious_violation(browser, html, part):
    violations = {}
    some = slice(part, None, PARTS)
    for name, page in each_page(browser, html, some, color_scheme="light"):
        if lines := in_light_and_dark(page):
            violations[name] = lines
    assert not violations


def test_the_theme_follows_the_system(browser, html):
    page = browser.new_page(color_scheme="light")
    settle(page, html / "book" / "index.html")
    for scheme in ("light", "dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.locator(f"html[data-theme={scheme}]").wait_for(state="attached")
    page.close()


def test_a_phone_shows_no_sideways_scroll(log):
    widths = log["widths"].items()
    assert not {k: wide for k, wide in widths if wide > PHONE["width"]}


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
