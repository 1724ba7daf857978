"""What a figure shows, as a sentence: made from its data.

Who is ahead, from which size on and by how much; where two change places;
what the intervals leave open.  These sentences are a figure's caption and
stand in its text for those who cannot see it.
"""

import dataclasses
import itertools
import math
import numbers
import re

from onthefly.measure.quantity import SAME

MOST = 3  # names in a sentence that lists numbers
WIDE = 2  # an interval's end over the other, from which it stands alone
# Of "switch intervals of a thread" the noun ends before these.
_BEHIND_NOUN = re.compile(r" (?:a|above|drawn|from|held|in|of|that)\b")
_UNCOUNTED = {"GB", "KiB", "MB", "MiB", "ms", "ns", "s", "µs", "thousand"}


def amount(size, axis):
    """Return a size in the words of its axis: "1,000 shots", "1 thread".

    Of an axis that counts nothing, as "limit of what is inlined", its name
    stands before the size; "" as the axis: the size alone.
    """
    unit, number = _unit(axis), _written(size)
    noun = _BEHIND_NOUN.split(unit, maxsplit=1)[0]
    if _UNCOUNTED & set(noun.split()):
        return f"{number} {unit}"
    if noun == _singular(noun):
        return f"{noun}{' =' * (len(noun) == 1)} {number}".strip()
    if size == 1:
        unit = f"{_singular(noun)}{unit[len(noun) :]}"
    return f"{number} {unit}"


def _unit(axis):
    """Return what an axis counts, as "bytes" of "distance (bytes)"."""
    for named in (r".* \((.*)\)", r".*, in ([\w ]*s)", r"(.*) [A-Z]"):
        if match := re.fullmatch(named, axis):
            return match[1]
    return axis


def _written(size):
    """Return a size as it is set, or, measured, to three digits."""
    whole = isinstance(size, numbers.Integral)
    text = f"{size:,}" if whole else f"{float(f'{size:.3g}'):,.10g}"
    return text.replace("-", "\N{MINUS SIGN}")


def _singular(noun):
    """Return the singular of a plural: "entry" of "entries"."""
    endings = {"ies": "y", "sses": "ss", "ss": "ss", "s": ""}
    for plural, one in endings.items():
        if noun.endswith(plural):
            return noun.removesuffix(plural) + one
    return noun


def of_lines(series, *, x, y, better=None, write=amount):
    """Return what lines show, in one to three sentences.

    series  {name: {size: Quantity}}
    x, y    labels of the axes
    better  "less" or "more": which end of y is ahead; None: neither
    write   function (size, x) -> text of a size; without x, in short
    """
    said = _without_marks(
        {(k, n): q for k, points in series.items() for n, q in points.items()}
    )
    series = {
        name: {n: said[name, n] for n in sorted(points)}
        for name, points in series.items()
        if points
    }
    if better is None or len(series) == 1:
        return _courses(series, x, y, write)
    met = meetings(series)
    if not met:
        return _courses(series, x, y, write)
    ahead = {size: leader(some, better) for size, some in met.items()}
    if not any(ahead.values()):
        open_ = "Which is ahead is not resolved at any size."
        return f"{open_} {_courses(series, x, y, write)}"
    size, last = list(met.items())[-1]
    if ahead[size] and better == "less":
        end = f"At {write(size, x)} {_lead(last, _each(y))}."
    else:
        end = f"At {write(size, x)}: {_list(_foremost(last, better))}."
    return f"{_regions(ahead, x, better, write)} {end}"


def _without_marks(quantities):
    """Return {name: Quantity}; where another run measured all, unmarked.

    Whose they are, the figure says once.
    """
    if not all(q.mark or q.is_exact for q in quantities.values()):
        return quantities
    return {
        name: dataclasses.replace(q, origin="")
        for name, q in quantities.items()
    }


def meetings(series):
    """Return {size: {name: Quantity}} of the sizes at which two can meet.

    series  {name: {size: Quantity}}
    """
    sizes = sorted({n for points in series.values() for n in points})
    by_size = {
        n: {name: p[n] for name, p in series.items() if n in p} for n in sizes
    }
    return {n: some for n, some in by_size.items() if len(some) > 1}


def of_bars(quantities, *, x="", better=None):
    """Return what bars show, in a sentence.

    quantities  {name: Quantity} of one unit
    x           label of their axis
    better      as in `of_lines`
    """
    quantities = _without_marks(_but_reference(quantities))
    label = f"{_capital(x)}: " if x else ""
    if better is None or len(quantities) == 1:
        return f"{label}{_list(quantities)}."
    foremost = _foremost(quantities, better)
    if not leader(quantities, better):
        first, second, *_ = (
            f"{_named(name)}: {q}" for name, q in foremost.items()
        )
        return f"Which is ahead is not resolved: {first}; {second}."
    if better == "less":
        return f"{_lead(quantities, _each(x))}."
    return f"{label}{_list(foremost)}."


def _but_reference(quantities):
    """Return all but what the others are measured by: exactly 1×."""
    return {
        name: q
        for name, q in quantities.items()
        if not (q.is_exact and q.value == 1 and q.unit == "×")
    } or quantities


def _named(name):
    """Return a name as a sentence has it; one with a comma in quotes."""
    return f"“{name}”" if "," in name else name


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


def _foremost(quantities, better):
    """Return those of the first, the second and the last name."""
    names = ranked(quantities, better)
    return {name: quantities[name] for name in [*names[:2], names[-1]]}


def _each(label):
    """Return what a time is of, as " a shot" of "time a shot"; "": a call."""
    match = re.fullmatch(r"time (?:of )?(an? \w+)", label)
    return f" {match[1]}" if match and match[1] != "a call" else ""


def _lead(quantities, each):
    """Say how long the fastest takes, and the second and the last.

    each  what the times are of, or ""
    """
    first, *others = ranked(quantities, "less")
    best = quantities[first]
    # By rounds the others may be in another order than their medians.
    ratios = {name: quantities[name] / best for name in others}
    second, *rest = ranked(ratios, "less")
    text = (
        f"{_named(first)} takes {best.short}{each}; {_named(second)} takes "
    )
    texts = [text + _longer(ratios[second])]
    last = (f"{_named(name)} {_longer(ratios[name])}" for name in rest[-1:])
    return ", ".join([*texts, *last])


def _longer(ratio):
    """Return how long something takes beside the fastest, in words."""
    if ratio.value <= SAME:
        return "hardly longer"
    if WIDE * ratio.low < ratio.high < math.inf:
        return f"{ratio.interval} times as long"
    return f"{ratio.short.replace('×', ' times')} as long"


def _regions(ahead, x, better, write):
    """Say who is ahead in which range of sizes.

    ahead  {size: name, or None where that is not resolved}
    """
    names = {*ahead.values()}
    what = "Fastest" if better == "less" else "Ahead"
    if len(names) == 1:
        return f"{what} at every size: {_named(names.pop())}."
    open_ = [write(size, "") for size, name in ahead.items() if not name]
    text = f"{what}: {', '.join(_places(ahead, x, write))}."
    return text + (f" Not resolved at {', '.join(open_)}." if open_ else "")


def _places(ahead, x, write):
    """Return who is ahead from where to where, an item a range.

    A range may hold sizes at which that is not resolved.
    """
    first, last = next(iter(ahead)), list(ahead)[-1]
    resolved = ((size, name) for size, name in ahead.items() if name)
    places = []
    for name, run in itertools.groupby(resolved, lambda pair: pair[1]):
        sizes = [size for size, _ in run]
        low, high = sizes[0], sizes[-1]
        if low == high != last:
            place = f"at {write(low, x)}"
        elif low == first:
            place = f"up to {write(high, x)}"
        elif high == last:
            place = f"from {write(low, x)} on"
        else:
            place = f"from {write(low, '')} to {write(high, x)}"
        places.append(f"{_named(name)} {place}")
    return places


def _courses(series, x, y, write):
    """Say where each line begins and ends, of the first few.

    What lies clearly beyond both ends of a line is named as well.
    """
    courses, named = [], x
    reach = {
        name: [q.value for q in points.values()]
        for name, points in series.items()
    }
    for name in _few(reach, MOST):
        places = []
        for size, word in _landmarks(series[name]).items():
            at = write(size, named)
            places.append(f"{word}{series[name][size].short} at {at}")
            named = ""  # a unit is named once
        courses.append(f"{_named(name)}: {', '.join(places)}")
    label = f"{_capital(y)}, " if y else ""
    return f"{label}{'; '.join(courses)}."


def _landmarks(points):
    """Return {size: word} of a line's ends, and of extremes beyond both."""
    ends = next(iter(points)), list(points)[-1]
    words = dict.fromkeys(ends, "")
    top = max(points, key=lambda n: points[n].value)
    bottom = min(points, key=lambda n: points[n].value)
    if all(points[top] > points[end] for end in ends):
        words[top] = "up to "
    if all(points[bottom] < points[end] for end in ends):
        words[bottom] = "down to "
    return {n: words[n] for n in points if n in words}


def _few(reach, most):
    """Return the first few names, with that of the most and of the least.

    reach  {name: numbers}
    """
    top = max(reach, key=lambda name: max(reach[name]))
    bottom = min(reach, key=lambda name: min(reach[name]))
    chosen = list(dict.fromkeys([top, bottom, *reach]))[:most]
    return [name for name in reach if name in chosen]


def _list(quantities):
    """Return names and numbers, the first few."""
    few = _few({k: [q.value] for k, q in quantities.items()}, 2 * MOST)
    texts = [f"{_named(name)}: {quantities[name].short}" for name in few]
    left = len(quantities) - len(few)
    if left:
        texts.append(f"{left} {'others' if left > 1 else 'other'} between")
    return ", ".join(texts)


def _capital(text):
    """Return a text with its first letter as a capital."""
    return f"{text[:1].upper()}{text[1:]}"
