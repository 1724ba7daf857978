"""Jupyter Book's run on the staged tree, and the book that it leaves."""

import shutil

from onthefly import files
from onthefly.refused import Refused


def check_settings(root):
    """Raise Refused where root/_config.yml is no file of settings."""
    path = root / "_config.yml"
    if not isinstance(files.yaml_data(path), dict):
        raise Refused(f"{path}: no settings in it; restore it with git")


def render(source, output):
    """Run Jupyter Book on `source`; return True if there was no warning.

    What the last run read is read again only where it changed; every page
    is written again, as each holds the table of contents.
    """
    from jupyter_book.sphinx import build_sphinx

    result = build_sphinx(
        source,
        output,
        path_config=source / "_config.yml",
        noconfig=True,
        confoverrides={
            "external_toc_path": str(source / "_toc.yml"),
            "latex_individualpages": False,
            "nitpicky": True,
        },
        force_all=True,
        warningiserror=True,
        keep_going=True,
        quiet=True,
    )
    return result == 0


def publish(built, html):
    """Put a copy of `built` in the place of `html`.

    Raises OSError, and leaves `html` as it was, where it cannot be copied.
    """
    fresh, old = (html.with_name(f"html.{part}") for part in ("new", "old"))
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    try:
        shutil.copytree(built, fresh)
    except shutil.Error as error:  # of each file: from, to, why
        _, path, why = error.args[0][0]
        raise OSError(0, why, path) from None
    if html.exists():
        html.rename(old)
    fresh.rename(html)
    shutil.rmtree(old, ignore_errors=True)
