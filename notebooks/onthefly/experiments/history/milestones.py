"""The dates of Shin's talk, beside the primary sources.

Shin, The Flow of TensorFlow (2017), slides 3 to 7.
"""

from typing import NamedTuple


class Milestone(NamedTuple):
    """A date of the talk.

    what     happened
    printed  year in the talk
    year     of the source
    source   author, title and place of the primary source
    """

    what: str
    printed: int
    year: int
    source: str


MILESTONES = (
    Milestone(
        "the imitation game", 1950, 1950,
        "Turing, Computing Machinery and Intelligence, Mind 59",
    ),
    Milestone(
        "the conference at Dartmouth", 1956, 1956,
        "McCarthy and others, proposal of August 1955 for the summer of 1956",
    ),
    Milestone(
        "machine learning named", 1959, 1959,
        "Samuel, Some Studies in Machine Learning Using the Game of "
        "Checkers, IBM Journal 3(3)",
    ),
    Milestone(
        "the vanishing gradient", 1991, 1991,
        "Hochreiter, Untersuchungen zu dynamischen neuronalen Netzen, "
        "diploma thesis, TU München",
    ),
    Milestone(
        "the effect of layers", 1996, 1996,
        "Jain, Mao and Mohiuddin, Artificial Neural Networks: A Tutorial, "
        "IEEE Computer 29(3)",
    ),
    Milestone(
        "learning defined by task and measure", 1999, 1997,
        "Mitchell (the slide: Michel), Machine Learning, McGraw-Hill",
    ),
    Milestone(
        "deep layers trained one by one", 2005, 2006,
        "Hinton, Osindero and Teh, A Fast Learning Algorithm for Deep Belief "
        "Nets, Neural Computation 18(7)",
    ),
    Milestone(
        "features from unlabelled images", 2012, 2012,
        "Le, Ng and others, Building High-level Features Using Large Scale "
        "Unsupervised Learning, ICML",
    ),
    Milestone(
        "dropout", 2013, 2012,
        "Hinton and others, Improving Neural Networks by Preventing "
        "Co-adaptation of Feature Detectors, arXiv 1207.0580",
    ),
)  # fmt: skip


def rows():
    """Return a table's rows: what, the talk's year, the source's, where."""
    return [
        {
            "what": m.what,
            "the talk": m.printed,
            "the source": m.year,
            "which source": m.source,
        }
        for m in MILESTONES
    ]


def agreeing():
    """Return how many years are the sources' own."""
    return sum(m.printed == m.year for m in MILESTONES)


def farthest():
    """Return by how many years the worst of them is off."""
    return max(abs(m.printed - m.year) for m in MILESTONES)
