"""The words of a Markdown cell, told from all that is no prose.

The cell is parsed as the book parses it: CommonMark with MyST's roles,
directives, labels, formulas and substitutions.
"""

import functools
import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin
from mdit_py_plugins.substitution import substitution_plugin

# As _config.yml has it under myst_enable_extensions.
PARSER = (
    MarkdownIt("commonmark")
    .enable("table")
    .use(myst_block_plugin)
    .use(myst_role_plugin)
    .use(amsmath_plugin)
    .use(attrs_block_plugin)
    .use(attrs_plugin)
    .use(colon_fence_plugin)
    .use(deflist_plugin)
    .use(dollarmath_plugin, double_inline=True)
    .use(substitution_plugin)
)
DIRECTIVE = re.compile(r"\{([\w:+-]+)\}\s*(.*)")
OPTION = re.compile(r":([\w-]+):(\s.*|$)")
# Their content is for a program to read; that of others is prose.
VERBATIM = re.compile(
    r"code|math|raw|eval-rst|literalinclude|bibliography|mermaid"
)
TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
GAP = "·"  # stands for what is not a writer's own word


@dataclass(frozen=True)
class Passage:
    """Words that belong together: a paragraph, heading, item or title.

    line     its first line in the cell, counted from 1
    words    its text, lines kept; code, formulas, roles and links are gaps
    level    of a heading, 1 to 6, or 0
    opening  bold words that it starts with, or ""
    title    whether it is the title of a directive
    evals    ((line, expression), ...) of its {eval}
    """

    line: int
    words: str
    level: int = 0
    opening: str = ""
    title: bool = False
    evals: tuple = ()


@dataclass(frozen=True)
class Directive:
    """A directive of a Markdown text that stands in no other one.

    line      its first line in the cell, counted from 1
    argument  what stands behind its name
    options   {name: text}
    """

    line: int
    name: str
    argument: str
    options: dict


def directives(source):
    """Return the Directives of a Markdown text, in its order."""
    result = []
    for token in PARSER.parse(source):
        if match := token.map and DIRECTIVE.fullmatch(token.info.strip()):
            lines = token.content.split("\n")
            pairs = map(OPTION.match, lines[: _options(lines)])
            options = {m[1]: m[2].strip() for m in pairs if m}
            result.append(
                Directive(token.map[0] + 1, *match.groups(), options)
            )
    return result


@functools.cache  # several rules read the same cell
def passages(source):
    """Return the Passages of a Markdown text, in its order."""
    return tuple(_passages(source, 1))


def expressions(source):
    """Return the (line, expression) of each {eval} of a Markdown text."""
    return [pair for passage in passages(source) for pair in passage.evals]


def _passages(source, first):
    """Yield the Passages of a text whose first line is number `first`."""
    level = 0
    for token in PARSER.parse(source):
        line = first + (token.map[0] if token.map else 0)
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "inline":
            yield _passage(token.children, line, level)
            level = 0
        elif token.type in ("fence", "colon_fence"):
            yield from _directive(token, line)
        elif token.type == "html_block":
            yield Passage(line, TAG.sub(_gap, token.content))


def _gap(match):
    """Return a gap of as many lines as a match."""
    return GAP + "\n" * match[0].count("\n")


def _passage(tokens, first, level):
    """Return the Passage of the tokens of one block."""
    words, evals, linked = "", [], 0
    for token in tokens:
        if token.type in ("link_open", "link_close"):
            linked += token.nesting
            words += GAP
        elif token.type in ("softbreak", "hardbreak"):
            words += "\n"
        elif token.type in ("text", "text_special") and not linked:
            words += token.content
        elif token.type == "myst_role" and token.meta["name"] == "eval":
            line = first + words.count("\n")
            evals.append((line, token.content.strip()))
            words += GAP
        elif token.content and not linked:
            # A formula or code may be broken over lines.
            words += GAP + "\n" * token.content.count("\n")
    return Passage(first, words, level, _opening(tokens), evals=tuple(evals))


def _opening(tokens):
    """Return the bold words that a block starts with, or ""."""
    shown = [token for token in tokens if token.content or token.nesting]
    if not shown or shown[0].type != "strong_open":
        return ""
    end = next(k for k, t in enumerate(shown) if t.type == "strong_close")
    return "".join(token.content for token in shown[:end])


def _directive(token, line):
    """Yield the Passages of a fence: none, unless a directive with prose."""
    match = DIRECTIVE.fullmatch(token.info.strip())
    if not match or VERBATIM.match(match[1]):
        return
    for passage in _passages(match[2], line):
        yield Passage(line, passage.words, title=True, evals=passage.evals)
    lines = token.content.split("\n")
    options = _options(lines)
    yield from _passages("\n".join(lines[options:]), line + 1 + options)


def _options(lines):
    """Return how many lines at the start are options of a directive."""
    if lines[0].strip() == "---" and "---" in lines[1:]:
        return lines.index("---", 1) + 1
    return next(
        (n for n, text in enumerate(lines) if not OPTION.match(text)),
        len(lines),
    )
