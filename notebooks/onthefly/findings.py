"""What a figure shows, as a sentence: made from its data.

Who is ahead, from which size on and by how much; where two change places;
what the intervals leave open.  These sentences are a figure's caption and
stand in its text for those who cannot see it.
"""

import itertools
import re

from onthefly.quantity import known

MOST = 3  # names in a sentence that lists numbers


def amount(size, axis):
    """Return a size in the words of its axis: "1,000 shots", "10 MB"."""
    named = re.fullmatch(r"(.*) \((.*)\)", axis)
    return f"{size:,} {named[2] if named else axis}".rstrip()


def listed(names, word="and"):
    """Return names as a list: "a, b and c".

    names  of anything, at least one
    word   before the last
    """
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last


def of_lines(series, *, x, y, better=None, write=amount):
    """Return what lines show, in one to three sentences.

    series  {name: {size: Quantity}}
    x, y    labels of the axes
    better  "less" or "more": which end of y is ahead; None: neither
    write   function (size, x) -> text of a size
    """
    series = {name: points for name, points in series.items() if points}
    if better is None or len(series) == 1:
        return _courses(series, x, y, write)
    met = meetings(series)
    if not met:
        return _courses(series, x, y, write)
    ahead = {size: leader(some, better) for size, some in met.items()}
    size, last = list(met.items())[-1]
    parts = [_regions(ahead, x, better, write)]
    if ahead[size]:
        colon = ":" if better == "more" else ""
        place = f"At {write(size, x)}{colon}"
        parts.append(f"{place} {_lead(last, better)}.")
    return " ".join(filter(None, parts))


def meetings(series):
    """Return {size: {name: Quantity}} of the sizes at which two can meet.

    series  {name: {size: Quantity}}
    """
    sizes = sorted({n for points in series.values() for n in points})
    by_size = {
        n: {name: p[n] for name, p in series.items() if n in p} for n in sizes
    }
    return {n: some for n, some in by_size.items() if len(some) > 1}


def of_bars(quantities, *, better=None):
    """Return what bars show, in a sentence.

    quantities  {name: Quantity} of one unit
    better      as in `of_lines`
    """
    quantities = known(quantities)
    if better is None or len(quantities) == 1:
        return f"{_list(quantities)}."
    if leader(quantities, better):
        return f"{_lead(quantities, better)}."
    first, second, *_ = ranked(quantities, better)
    pair = {name: quantities[name] for name in (first, second)}
    return f"Which is ahead is not resolved: {_list(pair)}."


def ranked(quantities, better):
    """Return the names, the best first.

    better  "less" or "more"
    """
    sign = 1 if better == "less" else -1
    return sorted(quantities, key=lambda name: sign * quantities[name].value)


def leader(quantities, better):
    """Return the name that is ahead of all others, or None: not resolved.

    The intervals decide, as in a Comparison.
    """
    first, *others = ranked(quantities, better)
    best = quantities[first]
    for name in others:
        other = quantities[name]
        if not (best < other if better == "less" else best > other):
            return None
    return first


def of_regions(cells, *, x, y):
    """Return who is fastest along x, at the least and at the greatest y.

    cells  {(x, y): name, or None where that is not resolved}
    x, y   labels of the axes
    """
    ends = sorted({b for _, b in cells})
    rows = [f"{y} {b:,}: {of_row(cells, b, x)}" for b in ends]
    return "; ".join([rows[0], *rows[1:][-1:]]) + "."


def of_row(cells, y, x):
    """Return who is fastest along x at one y; arguments as `of_regions`."""
    row = {a: name for (a, b), name in sorted(cells.items()) if b == y}
    names = {*row.values()} - {None}
    if not names:
        return "not resolved"
    if len({*row.values()}) == 1:
        return f"{names.pop()} at every size"
    return ", ".join(_places(row, x, amount))


def _lead(quantities, better):
    """Say by how much the first is ahead of the second and of the last."""
    names = ranked(quantities, better)
    named = list(dict.fromkeys([names[0], names[1], names[-1]]))
    if better == "more":
        return _list({name: quantities[name] for name in named})
    first, second, *last = named
    best = quantities[first]
    behind = {name: (quantities[name] / best).short for name in named}
    text = (
        f"{first} takes {best.short}; {second} takes {behind[second]} as long"
    )
    return ", ".join([text, *(f"{name} {behind[name]}" for name in last)])


def _regions(ahead, x, better, write):
    """Say who is ahead in which range of sizes.

    ahead  {size: name, or None where that is not resolved}
    """
    names = {*ahead.values()}
    what = "Fastest" if better == "less" else "Ahead"
    if names == {None}:
        return "Which is ahead is not resolved at any size."
    if len(names) == 1:
        return f"{what} at every size: {names.pop()}."
    open_ = [write(size, "") for size, name in ahead.items() if not name]
    text = f"{what}: {', '.join(_places(ahead, x, write))}."
    return text + (f" Not resolved at {', '.join(open_)}." if open_ else "")


def _places(ahead, x, write):
    """Return who is ahead from where to where, an item a range."""
    runs = [
        (name, [size for size, _ in run])
        for name, run in itertools.groupby(ahead.items(), lambda kv: kv[1])
    ]
    places = []
    for k, (name, sizes) in enumerate(runs):
        if name is None:
            continue
        if len(sizes) == 1 and k < len(runs) - 1:
            place = f"at {write(sizes[0], x)}"
        elif k == 0:
            place = f"up to {write(sizes[-1], x)}"
        elif k == len(runs) - 1:
            place = f"from {write(sizes[0], x)} on"
        else:
            ends = write(sizes[0], ""), write(sizes[-1], x)
            place = "from {} to {}".format(*ends)
        places.append(f"{name} {place}")
    return places


def _courses(series, x, y, write):
    """Say from where to where each line goes, of the first few."""
    courses = []
    for name, points in itertools.islice(series.items(), MOST):
        (start, first), *_ = points.items()
        end, last = list(points.items())[-1]
        if start == end:
            courses.append(f"{name}: {first.short} at {write(start, x)}")
            continue
        courses.append(
            f"{name}: {first.short} at {write(start, x)}, {last.short} at "
            f"{write(end, x)}"
        )
    text = f"{y}, {'; '.join(courses)}." if y else f"{'; '.join(courses)}."
    return f"{text[0].upper()}{text[1:]}"


def _list(quantities):
    """Return names and numbers, the first few."""
    few = itertools.islice(quantities.items(), 2 * MOST)
    return ", ".join(f"{name} {q.short}" for name, q in few)
