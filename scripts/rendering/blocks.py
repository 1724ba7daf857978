"""Blocks of Markdown that the build writes into its pages."""

from reporting.templates import plain

__all__ = ["plain", "raw"]


def raw(html):
    """Return HTML as a Markdown block that stays HTML."""
    return f"```{{raw}} html\n{html}\n```"
