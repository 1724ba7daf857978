"""Where a claim stands in its talk: slides, or lines of a transcript."""

import re

from onthefly.page import claims

RUN = re.compile(r"\b(?:slide|line)s? (\d+(?:(?:, | and | to |-)\d+)*)")


def place(claim):
    """Return where a claim stands, with the names of other sources."""
    text = claim.where
    for key, name in claims.load().sources.items():
        text = text.replace(key, name)
    return text


def slides(claim):
    """Return {source: numbers of its slides, or lines} that make a claim.

    Its own source comes first; what the ledger says as "also" follows.
    """
    own, _, also = claim.where.partition(" (also ")
    keys = "|".join(claims.load().sources)
    others = re.findall(rf"({keys}) ([^)]*)", also)
    return {
        source: _numbers(text)
        for source, text in [(claim.source, own), *others]
    }


def _numbers(text):
    found = []
    for run in RUN.findall(text):
        for part in re.split(", | and ", run):
            first, *last = map(int, re.split(" to |-", part))
            found += range(first, (last or [first])[0] + 1)
    return found
