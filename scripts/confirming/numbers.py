"""How sizes and shares are written for the reader."""


def count(size):
    """Write a size for the reader: thousands apart."""
    return f"{size:,}"


def share(value, sign=""):
    """Write a share as the book does: 16 %, with a true minus."""
    places = 1 if abs(value) < 0.0095 else 0
    text = f"{value:{sign}.{places}%}".replace("%", " %")
    return text.replace("-", "\N{MINUS SIGN}")


def sizes_of(sizes):
    """Write sizes for the reader, with commas."""
    return ", ".join(map(count, sizes))
