"""Open TensorBoard's graph page in Chromium, and say what is on it.

Standard input brings one line, a list: Chromium's path, TensorBoard's URL,
the scopes to open, and the file for the picture.  The answer names the nodes
drawn and the addresses of other hosts that the page asked for, which are
blocked.
"""

import json
import os
import sys
import threading

from playwright.sync_api import sync_playwright

DRAWN = "nodes => nodes.map(node => node.getAttribute('data-name'))"
LIMIT = 30_000  # milliseconds until a node must be there


def look(browser, url, scopes, picture):
    """Return what the graph page shows; write its picture."""
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


def end_with_parent():
    """End this process, and with it the browser, when the input ends."""
    sys.stdin.read()
    os._exit(1)


def main():
    """Answer one question."""
    path, *question = json.loads(sys.stdin.readline())
    threading.Thread(target=end_with_parent, daemon=True).start()
    with sync_playwright() as playwright:
        # Root and containers have no sandbox; the one page here is our own.
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        answer = look(browser, *question)
        browser.close()
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
