"""Gradients by a tape: its record made visible, and today's `tfe`.

`tf.contrib.eager`, the `tfe` of 2017, is gone; `gradients_function` is what
its function of that name did.
"""

import dataclasses

from onthefly.tools.quiet_tensorflow import tf


def gradients_function(function):
    """Return the function that returns [the gradient] of another.

    function  of a tensor; the one returned takes a number, an array or a
              tensor
    """

    def gradient(x):
        x = tf.convert_to_tensor(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return [tape.gradient(y, x)]

    return gradient


@dataclasses.dataclass
class Noted:
    """The names of steps: in the order they ran, and were played back."""

    ran: list = dataclasses.field(default_factory=list)
    played: list = dataclasses.field(default_factory=list)


def step(noted, name, x, slope, offset=0.0):
    """Return slope * x + offset, and note by name that it runs."""

    @tf.custom_gradient
    def line(x):
        noted.ran.append(name)

        def back(upstream):
            noted.played.append(name)
            return slope * upstream

        return slope * x + offset, back

    return line(x)


def collatz(noted, x):
    """Follow the Collatz numbers from x to 1 by steps that are noted."""
    while x != 1:
        if x % 2 == 0:
            x = step(noted, "halve", x, 0.5)
        else:
            x = step(noted, "triple, add one", x, 3.0, 1.0)
    return x


def follow(start):
    """Return what one start tells: the Noted steps, and the gradient."""
    noted = Noted()
    (slope,) = gradients_function(lambda x: collatz(noted, x))(float(start))
    return noted, float(slope)


def as_said(start, tolerance=1e-5):
    """Tell whether what was played back is what ran, in reverse.

    The gradient must be 3 to the odd steps over 2 to the even ones, within a
    relative tolerance, for its numbers have 32 bits.
    """
    noted, gradient = follow(start)
    odd = noted.ran.count("triple, add one")
    even = noted.ran.count("halve")
    expected = 3.0**odd / 2.0**even
    return noted.played == noted.ran[::-1] and (
        abs(gradient / expected - 1) < tolerance
    )
