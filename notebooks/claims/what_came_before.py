"""What *What became of the toolkits of 2017?* concludes."""

from onthefly import figures
from onthefly.experiments.history import milestones as sourced
from onthefly.experiments.history import processors, toolkits
from onthefly.experiments.history import releases as index
from onthefly.measure.quantity import Quantity
from onthefly.page import expect, figure, judge, table
from onthefly.page.verdicts import unmeasured


def day():
    looked, _ = index.read()
    return f"{looked:%d %B %Y}"


def packages():
    return index.read()[1]


def retired(packages):
    looked, _ = index.read()
    quiet = sum(one.retired(looked) for one in packages.values())
    return f"{quiet} of {len(packages)}"


@table
def releases():
    """Releases on the Python package index."""
    return index.rows()


@table
def parts():
    """Parts of TensorFlow, by the first wheel that holds them."""
    return index.part_rows()


def came():
    return index.parts()


@expect
def as_dated(came):
    return (
        came["Datasets, in the core"] == "1.4.0",
        came["Keras, contributed"] < "1.2.0",
        came["Estimators, in the core"] < "1.4.0",
    )


def first_eager(eagerly):
    able = [version for version, why in eagerly.items() if not why]
    return able[0] if able else "none of them"


@judge("tensorflow-feature-timeline")
def feature_timeline(came, packages, first_eager="1.4"):
    as_printed = [
        came["Keras, contributed"] in ("1.2.0", "1.3.0"),
        came["Datasets, in the core"] == "1.4.0",
        came["Estimators, in the core"] == "1.4.0",
        came["Lite, contributed"] > packages["TensorFlow"].then,
        # A folder is not the feature: it has to run.
        came["Eager, contributed"] == "1.4.0"
        and first_eager.startswith("1.4"),
    ]
    return Quantity.share_of(as_printed)


@expect
def settled(here, gone):
    return here, not any(gone)


@judge("tensorflow-origin-and-support")
def origin_and_support():
    """Published, bindings beside Python's, and least compute capability"""
    slide = "December 2015", "1.0", "6.0"
    sources = "November 2015", "1.0", "3.0"
    same = [a == b for a, b in zip(slide, sources, strict=True)]
    return Quantity.share_of(same)


@judge("tensorflow-statistics-2017")
def statistics():
    return unmeasured("a clone of TensorFlow's repository is missing")


def trend():
    return {
        "clock [MHz]": processors.medians("frequency"),
        "logical cores": processors.medians("cores"),
    }


def _gain(values, start, end):
    return (values[end] / values[start]).named("×")


def before(trend):
    return _gain(trend["clock [MHz]"], 1997.5, 2007.5)


def faster(trend):
    return _gain(trend["clock [MHz]"], 2007.5, 2017.5)


def more(trend):
    return _gain(trend["logical cores"], 2007.5, 2017.5)


@figure
def processors_figure(trend):
    """Clocks in MHz, and numbers of logical cores, on one axis."""
    chart = figures.lines(trend, x="year", y="clock [MHz], cores", logx=False)
    chart.figure.axes[0].xaxis.set_major_formatter("{x:g}")  # 2000, not 2,000
    return chart


@judge("clocks-stop-cores-multiply")
def clocks_stop(before, faster, more):
    """from around 1997 to around 2007 the clock became {before.about}"""
    return Quantity.held([before > faster, more > faster])


@table
def milestones():
    """Years, and their sources."""
    return sourced.rows()


@judge("machine-learning-milestones")
def agreeing():
    return Quantity.share(sourced.agreeing(), len(sourced.MILESTONES))


@table
def tried(outcomes, then=None):
    """The table's cells, as printed and as tried."""
    return toolkits.rows(outcomes, then)


@expect
def all_but_graphs(outcomes):
    return [
        today != "no"
        for question, row in outcomes.items()
        for name, today in row.items()
        if (question, name) != ("interactive", "TensorFlow")
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
