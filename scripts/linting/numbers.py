"""Numbers that a machine produces, where a writer typed them."""

import re

# What a machine produces: a number with a unit, a share or a comparison.
_DIGITS = r"\d(?:[\d.,]*\d)?"
_N = rf"(?<![\w.^]){_DIGITS}(?:\s*(?:[-–±]|to)\s*{_DIGITS})?"
_COUNT = (
    rf"(?:{_DIGITS}|two|three|four|five|six|seven|eight|nine|ten|twelve|"
    r"twenty|thirty|forty|fifty|hundred|a hundred|thousand|a thousand)"
)
_FAST = r"(?:fast|slow|quick|long)"
_UNIT = (
    r"(?:[nµμum]s|s|min(?!\()|h|(?:nano|micro|milli)?sec(?:ond)?s?|minutes?|"
    r"hours?|[kKMGT]i?B|[kMG]Hz|[kMGT]?FLOPS?|[kMGT]?flop/s|cycles)"
)
TYPED = [
    re.compile(rf"{_N}(?:\s*×|\s?x\b)(?!\s*\d)"),
    re.compile(
        rf"{_N}\s*(?:%|percent\b|per cent\b)"
        r"(?!\s+(?:\w+\s+)?(?:interval|confidence|quantile|level))"
    ),
    re.compile(rf"{_N}\s+{_UNIT}\b|{_N}{_UNIT}(?<!\ds)\b|\d\.\d+s\b"),
    re.compile(rf"{_N}\s*(?:/\s?s|per second)\b"),
    re.compile(
        rf"\b(?:twice|thrice|half|{_COUNT}[ -]?(?:times|fold))\s+"
        rf"(?:as\s+{_FAST}|(?:{_FAST}|short)er)\b",
        re.I,
    ),
    re.compile(rf"\b{_COUNT}-?fold\s+(?:speed|faster|slower)", re.I),
    re.compile(
        rf"\bspeed-?ups?\s+(?:of|is|was)\s+(?:\w+\s+)?{_COUNT}\b", re.I
    ),
    re.compile(rf"\borders? of magnitude\s+{_FAST}er\b", re.I),
    re.compile(rf"{_N}\s+(?:out )?of\s+\d+\s+(?:runs|times|trials|repeats)"),
]


def typed(text):
    """Return [(line, words)] of each machine number typed in plain `text`.

    Lines count from 1; of two in a line, one is named.
    """
    typed = {}
    for pattern in TYPED:
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            typed.setdefault(line, " ".join(match[0].split()))
    return sorted(typed.items())
