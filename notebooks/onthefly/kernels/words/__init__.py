"""How often each word occurs in a text.

The words are made up, and so often as in a language: the second half as often
as the first, the third a third as often.  Source: Zipf, Human Behavior and
the Principle of Least Effort, 1949.
"""

import itertools
from collections import Counter

WORDS = 10_000  # different ones, of which a short text has fewer


def vocabulary():
    """Return the list of all words, of two, four and six letters."""
    syllables = [
        "".join(pair) for pair in itertools.product("bdfgklmnst", "aeiou")
    ]
    made = (
        "".join(word)
        for count in (1, 2, 3)
        for word in itertools.product(syllables, repeat=count)
    )
    return list(itertools.islice(made, WORDS))


def data(n, seed=0):
    """Return the arguments of each way: a text of n words, apart by blanks.

    The shorter ones are the frequent ones.
    """
    import numpy as np

    shares = 1.0 / np.arange(1, WORDS + 1)
    chosen = np.random.default_rng(seed).choice(
        np.array(vocabulary(), dtype=object), n, p=shares / shares.sum()
    )
    return (" ".join(chosen),)


def shares(text, workers):
    """Return a text in so many parts, cut at blanks, of nearly one length."""
    cuts = [0]
    for k in range(1, workers):
        blank = text.find(" ", max(cuts[-1], len(text) * k // workers))
        cuts.append(len(text) if blank < 0 else blank)
    return [text[a:b] for a, b in itertools.pairwise([*cuts, len(text)])]


def merged(several):
    """Return the sum of the counts of several parts, each a dict."""
    total = Counter()
    for counts in several:
        total.update(counts)
    return total
