"""The built book in a browser: offline, accessible, on a phone, searchable.

Needs Debian's ``chromium``; the pages are opened from ``file://``.
"""

import pytest
from axe_playwright_python.sync_playwright import Axe

from conftest import listen

PHONE = {"width": 375, "height": 740}
DESKTOP = {"width": 1280, "height": 720}
PARTS = 9  # into which the pages are dealt, for whichever worker is free


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


MUTE = """all => all.filter(svg => svg.getAttribute('role') !== 'img' ||
    !(svg.getAttribute('aria-label') || '').trim()).map(
  svg => svg.outerHTML.slice(0, 120))"""
UNFOLD = "all => all.forEach(one => one.open = true)"
FOLD = "all => all.forEach(one => one.open = false)"
FRAME = "() => new Promise(requestAnimationFrame)"
WIDTH = "document.documentElement.scrollWidth"
# Code tokens of a class look alike, and so do formulas, the rows of a table
# and the pages in the sidebar: a few of each are enough to judge, and
# thousands take axe half a minute.  A figure is one image to it, whatever it
# is drawn from.
THIN = """() => {
  const seen = {};
  for (const token of document.querySelectorAll('.highlight pre span')) {
    seen[token.className] = (seen[token.className] || 0) + 1;
    if (seen[token.className] > 3) token.replaceWith(token.textContent);
  }
  document.querySelectorAll(
    'tbody tr:nth-child(n+5), nav li:nth-child(n+5):not(.current)').forEach(
    row => row.remove());
  [...document.querySelectorAll('mjx-container')].slice(3).forEach(
    formula => formula.remove());
  document.querySelectorAll('figure svg').forEach(
    svg => svg.replaceChildren());
}"""
# What has the same classes within the same has the same colours, on whichever
# page: three of a kind are enough.
ALIKE = """seen => {
  const name = one => ['class', 'style'].reduce(
    (all, key) => all + '.' + one.getAttribute(key), one.tagName);
  for (const leaf of [...document.body.querySelectorAll('*')].reverse()) {
    if (leaf.firstElementChild) continue;
    let within = '';
    for (let one = leaf; one; one = one.parentElement) within += name(one);
    seen[within] = (seen[within] || 0) + 1;
    if (seen[within] > 3) leaf.remove();
  }
  return seen;
}"""


def serious(page, **options):
    """Return axe's serious and critical findings on a page that holds it."""
    # It would fetch the style sheets, which a page from a file may not.
    options |= {"resultTypes": ["violations"], "preload": False}
    axe = Axe(axe_script="")  # it would put it into the page each time
    violations = axe.run(page, options=options).response["violations"]
    return [
        f"{v['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for v in violations
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]


def in_light_and_dark(page, seen):
    """Return the findings on a page, then of its colours, light and dark.

    seen  {what is alike: how many were looked at}, which it adds to
    """
    page.evaluate(Axe().axe_script)
    # No colour is looked at on its way to another.
    page.add_style_tag(content="* { transition: none !important }")
    page.evaluate(THIN)
    lines = serious(page, rules={"color-contrast": {"enabled": False}})
    seen |= page.evaluate(ALIKE, seen)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(FRAME)
        lines += serious(page, runOnly=["color-contrast"])
    return lines


@pytest.fixture(scope="module")
def seen():
    """{what looks alike: how many of it were looked at}, on all pages."""
    return {}


@pytest.fixture
def visit(browser, seen):
    """A function of a path: {what: [each]} of what is wrong with that page.

    On a phone with all that folds open; then on a desktop, light and dark.
    """
    page = browser.new_page()
    heard = listen(page)

    def visit(path):
        page.goto("about:blank")  # the last page, torn, has its say before
        heard.clear()
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(PHONE)
        settle(page, path)
        heard["mute figures"] = page.locator("figure svg").evaluate_all(MUTE)
        page.locator("details").evaluate_all(UNFOLD)
        width = page.evaluate(WIDTH)
        heard["wider than a phone"] = [width] * (width > PHONE["width"])
        page.locator("details").evaluate_all(FOLD)
        page.set_viewport_size(DESKTOP)
        page.evaluate(FRAME)
        # Until here: scripts miss what is torn out of the page for axe.
        wrong = {what: [*each] for what, each in heard.items() if each}
        lines = in_light_and_dark(page, seen)
        return wrong | ({"axe": lines} if lines else {})

    yield visit
    page.close()


def test_a_visit_sees_what_is_wrong(visit, tmp_path):
    path = tmp_path / "page.html"
    path.write_text("""<!DOCTYPE html><html lang="en"><title>t</title><style>
      b { color: #ccc; background: white } i { background: white }
      @media (prefers-color-scheme: dark) { i { color: #ddd } }
      </style><main><b>faint</b> <i>faint when it is dark</i>
      <img alt="far" src="http://127.0.0.1:1/far.png">
      <img alt="gone" src="gone.png"><script>nothing()</script>
      <figure><svg role="img" aria-label=" "></svg></figure>
      <details><summary>open</summary><p style="width: 400px">wide
      </details></main>""")
    wrong = visit(path)
    light, *_, dark = [x for x in wrong["axe"] if "color-contrast" in x]
    assert "<b>" in light and "<i>" in dark
    assert {"asks another host", "not there", "errors"} <= wrong.keys()
    assert {"mute figures", "wider than a phone"} <= wrong.keys()


# In groups of their own, so that another worker may take one.
@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=pytest.mark.xdist_group(f"pages-{part}"))
        for part in range(PARTS)
    ],
)
def test_nothing_is_wrong_with_a_page(visit, html, part):
    wrong = {path.name: visit(path) for path in files(html)[part::PARTS]}
    assert wrong and not {k: v for k, v in wrong.items() if v}


def test_the_theme_follows_the_system(browser, html):
    page = browser.new_page(color_scheme="light")
    settle(page, html / "book" / "index.html")
    for scheme in ("light", "dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.locator(f"html[data-theme={scheme}]").wait_for(state="attached")
    page.close()


def test_search_finds_the_gil(browser, html):
    page = browser.new_page()
    page.goto((html / "search.html").as_uri() + "?q=GIL")
    results = page.locator("#search-results li")
    results.first.wait_for(timeout=10_000)
    assert "gil" in " ".join(results.all_inner_texts()).lower()
    page.close()


def test_the_keyboard_opens_the_data_of_a_figure(browser, html):
    page = browser.new_page()
    for path in files(html):
        settle(page, path)
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
    page.close()
