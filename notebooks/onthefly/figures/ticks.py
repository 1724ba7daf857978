"""How a tick of an axis is worded."""

import math

from matplotlib.ticker import FuncFormatter

_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def size(value, _=None):
    """Write a tick of a size axis: 10⁴ for powers of ten."""
    power = math.log10(value) if value > 0 else 0.5
    if value >= 1000 and math.isclose(power, round(power)):
        digits = str(round(power)).translate(_SUPERSCRIPT)
        return f"10{digits}"
    return f"{value:g}"


def plain(value, _=None):
    """Write a tick of an axis that is no logarithm's: 75,000."""
    return f"{value:,.10g}"


def seconds(value, _=None):
    """Write a tick of a time axis: 0, 10 µs, 1 ms."""
    if not value:
        return "0"
    for factor, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= factor * 0.999:
            return f"{value / factor:g} {unit}"
    return f"{value / 1e-9:g} ns"


def percent(value, _=None):
    """Write a share, as on an axis of shares: 20 %."""
    return f"{value:.0%}".replace("%", " %")


def power(value, _=None):
    """Write a tick of a plain logarithmic axis: 10⁻³."""
    digits = str(round(math.log10(value))).translate(_SUPERSCRIPT)
    return f"10{digits}"


BY_UNIT = {"s": seconds, "%": percent}  # by the unit of what is drawn


def write(axis, write):
    """Let `write(value, _)` word the ticks of an axis, where there is one."""
    if write:
        axis.set_major_formatter(FuncFormatter(write))


def is_short(axis):
    """Tell whether fewer than two powers of ten lie on a logarithmic axis."""
    low, high = map(math.log10, sorted(axis.get_view_interval()))
    return math.floor(high) - math.ceil(low) < 1
