"""Names and counts as a sentence has them."""


def listed(names, word="and"):
    """Return names as a list: "a, b and c".

    names  of anything, at least one
    word   before the last
    """
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last


def counted(count, unit):
    """Return a count in words: "1 call", "1,000 calls".

    unit  a plural that ends in s
    """
    return f"{count:,} {unit if count != 1 else unit.removesuffix('s')}"
