"""Which variables are still needed at a point of a function."""

import ast

from onthefly.diagnose.patterns.trees import reads


def needed(body, after=frozenset(), loop=frozenset()):
    """Return the names whose values the statements may read from before.

    Parameters
    ----------
    body   list of statements
    after  names that are needed once they are done
    loop   names that are needed where `break` or `continue` leads

    """
    live = set(after)
    for statement in reversed(body):
        live = _before(statement, live, loop)
    return live


def _before(statement, after, loop):
    match statement:
        case ast.Return() | ast.Raise():
            return reads(statement)
        case ast.Break() | ast.Continue():
            return set(loop)
        case ast.If(test=test, body=body, orelse=orelse):
            branches = needed(body, after, loop) | needed(orelse, after, loop)
            return branches | reads(test)
        case ast.For() | ast.While():
            return _before_loop(statement, after)
        case ast.Assign(targets=targets, value=value):
            return _before_assignment(targets, value, after)
        case ast.AnnAssign(target=target, value=value) if value:
            return _before_assignment([target], value, after)
        case ast.AugAssign(target=ast.Name(id=name)):
            return after | reads(statement) | {name}
        case _:  # whatever else: all that it reads, and no name is done with
            return after | loop | reads(statement)


def _before_assignment(targets, value, after):
    set_whole = set()
    for target in targets:
        parts = getattr(target, "elts", [target])
        set_whole |= {p.id for p in parts if isinstance(p, ast.Name)}
    return (after - set_whole) | reads(value, *targets)


def _before_loop(statement, after):
    is_for = isinstance(statement, ast.For)
    head = reads(statement.iter if is_for else statement.test)
    target = _targets(statement.target) if is_for else set()
    live = needed(statement.orelse, after) | after | head
    for _ in range(2):  # what the next turn needs is needed by this one, too
        body = needed(statement.body, live, live)
        live = live | (body - target)
    return live


def _targets(target):
    return {
        each.id for each in ast.walk(target) if isinstance(each, ast.Name)
    }


def needed_after(function, statement):
    """Return the names that may be read once a statement is done.

    Parameters
    ----------
    function   the tree of the function
    statement  one of its statements, in whatever block

    """
    return _find(function.body, statement, frozenset(), frozenset())


def _find(body, wanted, after, loop):
    for place, statement in enumerate(body):
        then = needed(body[place + 1 :], after, loop)
        if statement is wanted:
            return then
        for block, end, again in _blocks(statement, then, loop):
            found = _find(block, wanted, end, again)
            if found is not None:
                return found
    return None


def _blocks(statement, after, loop):
    """Yield each block of a statement: what is needed at its end, and by
    `break` and `continue` in it.
    """
    if isinstance(statement, ast.For | ast.While):
        around = _before_loop(statement, after)
        yield statement.body, around, around
        yield statement.orelse, after, loop
    elif isinstance(statement, ast.If | ast.With):
        yield statement.body, after, loop
        yield getattr(statement, "orelse", []), after, loop
    elif isinstance(statement, ast.Try):
        everything = after | loop | reads(statement)
        blocks = [statement.body, statement.orelse, statement.finalbody]
        blocks += [handler.body for handler in statement.handlers]
        for block in blocks:
            yield block, everything, everything
