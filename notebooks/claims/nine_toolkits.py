"""What *Nine toolkits, then and now* concludes."""

from onthefly.experiments.history import releases as index
from onthefly.experiments.history import toolkits
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, judge, table

PACKAGES = [
    "TensorFlow",
    "TFLearn",
    "TF-Slim",
    "Keras",
    "Keras on MXNet",
    "PyTorch",
    "CNTK",
    "MXNet",
]


@table
def releases():
    """The toolkits of the table"""
    return index.rows(PACKAGES)


def left():
    """Return how many are still released; eager execution is, too."""
    looked, packages = index.read()
    return 1 + sum(not packages[name].retired(looked) for name in PACKAGES)


@table
def tried(outcomes, then=None):
    """The table's cells, tried"""
    return toolkits.rows(outcomes, then)


def as_printed(outcomes):
    return toolkits.as_printed(outcomes)


@expect
def all_but_graphs(outcomes):
    return [
        today != "no"
        for question, row in outcomes.items()
        for name, today in row.items()
        if (question, name) != ("interactive", "TensorFlow")
    ]


@expect
def yes_now(outcomes):
    return [
        row["today"] == "yes"
        for row in toolkits.rows(outcomes)
        if row["today"] in ("yes", "no")
        and row["today"] != row["printed in 2017"]
    ]


@expect
def same_threads(outcomes, then=None):
    eagerly = [x and x["several cores"]["Eager"] for x in (then, outcomes)]
    return [said and said == "yes" for said in eagerly]


@judge("feature-comparison-table")
def feature_table(outcomes, then=None):
    return then and _interactive(then), _interactive(outcomes)


def _interactive(found):
    held = toolkits.as_printed({"interactive": found["interactive"]})
    return Quantity.share_of(held)
