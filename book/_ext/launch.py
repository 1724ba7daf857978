"""Buttons that run, edit or report a page, from the repository's address.

They come with ``repository: url`` of _config.yml, and without it there are
none.  Binder, Colab and Codespaces start a page of a public repository on
GitHub; the others show its source.
"""

import re

GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
SERVICES = {
    "binderhub_url": "https://mybinder.org",
    "colab_url": "https://colab.research.google.com",
}
BUTTONS = (
    "use_repository_button", "use_edit_page_button", "use_issues_button"
)  # fmt: skip


def configure(app, config):
    """Switch the theme's buttons on where the repository has an address."""
    options = config.html_theme_options
    address = options.get("repository_url", "")
    options.update(dict.fromkeys(BUTTONS, bool(address)))
    if GITHUB.fullmatch(address):
        options["launch_buttons"] = {
            **options.get("launch_buttons", {}),
            **SERVICES,
        }


def add_codespaces(app, pagename, templatename, context, doctree):
    """Add to the launch buttons of a page the one the theme does not have."""
    address = app.config.html_theme_options.get("repository_url", "")
    found = GITHUB.fullmatch(address)
    for group in context.get("header_buttons", ()) if found else ():
        if group.get("label") == "launch-buttons":
            group["buttons"].append(
                {
                    "type": "link",
                    "text": "Codespaces",
                    "tooltip": "Open the repository in GitHub Codespaces",
                    "icon": "fas fa-laptop-code",
                    "url": f"https://codespaces.new/{found[1]}?quickstart=1",
                }
            )


def setup(app):
    """Register both with Sphinx, around the theme's own handlers."""
    app.connect("config-inited", configure, priority=400)
    app.connect("html-page-context", add_codespaces, priority=502)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
