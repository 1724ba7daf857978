"""Questions that words fit, and the nearest ones where none does."""

import difflib

from onthefly.questions.answers import words_in

NEAREST = 3  # are offered
SPELLED = 0.75  # alike, at least: what difflib calls its ratio


def stem(word):
    """Return a word in small letters, without the s of a plural."""
    word = word.casefold()
    plural = len(word) > 3 and word.endswith("s") and word[-2] not in "su"
    return word[:-1] if plural else word


def found(entries, words):
    """Return the questions in which all words stand, or in whose answers.

    entries  questions as `answers.answers` has them
    words    a question's word fits where it begins with one of these

    Those in whose question they stand come first.
    """
    stems = [stem(part) for word in words for part in words_in(word)]
    asking = [
        one for one in entries if _has_all(words_in(one["asks"]), stems)
    ]
    others = [one for one in entries if _has_all(_own(one), stems)]
    return asking + [one for one in others if one not in asking]


def nearest(entries, words, prose):
    """Return the questions that come nearest to words, at most NEAREST.

    prose  {page: its words in one text}

    A word counts more where a question or its answer has it than where only
    the page does; one that stands nowhere counts as what is spelled most
    like it.  Each page has one question among them.
    """
    own = {one["id"]: set(_own(one)) for one in entries}
    pages = {page: set(text.split()) for page, text in prose.items()}
    every = set().union(*own.values(), *pages.values())
    stems = [
        near
        for word in words
        for part in words_in(word)
        if (near := _spelled(stem(part), every))
    ]

    def points(one):
        page = pages.get(one["page"], set())
        return sum(2 * _has(own[one["id"]], s) + _has(page, s) for s in stems)

    best = {}
    for one in sorted(entries, key=points, reverse=True):
        if points(one):
            best.setdefault(one["page"], one)
    return list(best.values())[:NEAREST]


def _spelled(word, every):
    """Return a word that stands somewhere, or the one most like it, or ""."""
    if _has(every, word):
        return word
    near = difflib.get_close_matches(word, sorted(every), 1, SPELLED)
    return near[0] if near else ""


def _own(entry):
    """Return the words of a question and of its answers."""
    texts = [entry["asks"], *(a["text"] for a in entry["answers"])]
    return words_in(" ".join(texts))


def _has_all(words, stems):
    return all(_has(words, one) for one in stems)


def _has(words, one):
    """Tell whether a word begins with a stem, as cores does with core."""
    return any(word.startswith(one) for word in words)
