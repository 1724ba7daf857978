"""What an interval says of a gain."""

import math

PAYS = 1.1  # a gain above which a change is worth its trouble
WIDE = 4.0  # upper over lower end of an interval that says too little


def is_gain(quantity):
    """Tell whether a gain is clear: its whole interval lies above PAYS."""
    return quantity.low > PAYS


def is_loss(quantity):
    """Tell whether it is clearly slower."""
    return quantity.high < 1 / PAYS


def is_wide(quantity):
    """Tell whether an interval is too wide to say anything."""
    if not math.isfinite(quantity.high) or quantity.low <= 0:
        return True
    return quantity.high / quantity.low > WIDE
