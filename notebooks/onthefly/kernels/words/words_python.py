"""Counts of a text's words, in a dict by the interpreter's loop."""


def words_python(text):
    """Return {word: count} of a text."""
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts
