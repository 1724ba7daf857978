"""Open TensorBoard's graph page in Chromium, and say what is on it."""

from playwright.sync_api import sync_playwright

DRAWN = "nodes => nodes.map(node => node.getAttribute('data-name'))"
LIMIT = 30_000  # milliseconds until a node must be there


def look(chromium, url, scopes, picture):
    """Return what a graph page shows, as a dict; write its picture.

    chromium  path of the browser
    url       of the TensorBoard
    scopes    names of the boxes to open
    picture   path of the PNG file

    The keys: drawn (the names of the nodes), away (the addresses of other
    hosts that the page asked for, which are blocked), browser (its version).
    """
    with sync_playwright() as playwright:
        # Root and containers have no sandbox; the one page here is our own.
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        seen = _seen(browser, url, scopes, picture)
        browser.close()
    return seen


def _seen(browser, url, scopes, picture):
    away = []

    def pass_on(route):
        here = route.request.url.startswith((url, "data:", "blob:"))
        if not here:
            away.append(route.request.url)
        (route.continue_ if here else route.abort)()

    context = browser.new_context(
        viewport={"width": 1000, "height": 450}, device_scale_factor=1.5
    )
    context.set_default_timeout(LIMIT)
    context.route("**/*", pass_on)
    page = context.new_page()
    page.goto(f"{url}#graphs")
    for scope in scopes:
        page.locator(f'g.node[data-name="{scope}"]').first.dblclick()
        page.locator(f'g.node[data-name^="{scope}/"]').first.wait_for()
    # A click beside the graph takes the selection, and its panel, away.
    canvas = page.locator("tf-graph-scene svg#svg")
    corner = canvas.bounding_box()["height"] - 8
    canvas.click(position={"x": 8, "y": corner})
    page.get_by_text("Fit to screen").click()
    page.wait_for_timeout(800)  # until it has moved into its place
    page.locator("tf-graph-board").screenshot(path=picture)
    names = page.locator("g[data-name]").evaluate_all(DRAWN)
    return {"drawn": names, "away": away, "browser": browser.version}
