"""Jupyter Book's run on the staged tree, and the book that it leaves."""

import errno
import functools
import re
import shutil
from unittest import mock

from onthefly import files
from onthefly.errors import UserError

OURS = OSError, KeyboardInterrupt  # which Jupyter Book returns


def check_settings(root):
    """Raise UserError where root/_config.yml is no file of settings."""
    path = root / "_config.yml"
    if not isinstance(files.yaml_data(path), dict):
        raise UserError(f"{path}: no settings in it; restore it with git")


def render(source, output):
    """Run Jupyter Book on `source`; return True if there was no warning.

    What the last run read is read again only where it changed; every page
    is written again, as each holds the table of contents.  Raises UserError
    for settings that Jupyter Book cannot use, OSError, KeyboardInterrupt.
    """
    from jupyter_book import sphinx

    settings = source / "_config.yml"
    said = functools.partial(_said, sphinx.handle_exception)
    try:
        with mock.patch.object(sphinx, "handle_exception", said):
            result = sphinx.build_sphinx(
                source,
                output,
                path_config=settings,
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
    except OSError:
        raise
    except Exception as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise UserError(
            f"{settings.name}: Jupyter Book cannot use it ({what[:200]}); "
            "mend it there"
        ) from None
    if isinstance(result, OSError) and not result.filename:
        raise OSError(result.errno, result.strerror, str(output))
    if isinstance(result, OURS):
        raise result
    return result == 0


def _said(handle, app, arguments, error, stream):
    """Say what ended Sphinx, unless we do."""
    if not isinstance(error, OURS):
        handle(app, arguments, error, stream)


def publish(built, html):
    """Put a copy of `built` in the place of `html`.

    Raises OSError, and leaves `html` as it was, where it cannot be copied.
    """
    fresh, old = (
        html.with_name(f"{html.name}.{part}") for part in ("new", "old")
    )
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    try:
        shutil.copytree(built, fresh)
    except shutil.Error as error:  # of each file: from, to, why
        _, path, why = error.args[0][0]
        told = re.match(r"\[Errno (\d+)\] ([^:]+)", why)
        number, why = told.groups() if told else (errno.EIO, why)
        raise OSError(int(number), why, path) from None
    if html.exists():
        html.rename(old)
    fresh.rename(html)
    shutil.rmtree(old, ignore_errors=True)
