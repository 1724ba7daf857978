"""What *Many short calls in processes* concludes."""

from onthefly.page import answer


def single(calls, few):
    return calls.ratio("pool.map", "in series", few)


def batched(calls, many):
    return calls.ratio("in series", "pool.map, chunksize", many)


def joblib_gain(calls, many):
    return calls.ratio("in series", "joblib", many)


def joblib_few(calls, few):
    return calls.ratio("in series", "joblib", few)


def one_call(calls, few):
    return calls.seconds("pool.map", few) / few


def itself(calls, few):
    return calls.seconds("in series", few) / few


def lists_loss(sent):
    return sent.ratio("pool.map, chunksize", "in series")


def array_gain(sent):
    return sent.ratio("in series", "one array")


def mapped(shared):
    return shared.ratio("pool.map", "joblib")


def here_gain(shared):
    return shared.ratio("joblib", "here")


@answer("chunksize")
def chunksize(single, batched, lists_loss):
    """Hand the calls over in batches, by chunksize or by joblib: for calls of
    a few microseconds a pool without batches is {single.about} slower than
    the loop, and with batches {batched.about} faster. If the calls work on
    lists that have to be sent, the pool is {lists_loss.about} slower even
    so: use one array and one operation.
    """
    return single > 1, batched > 1, lists_loss > 1


@answer("joblib")
def joblib(mapped):
    """Take joblib for large arrays that every call reads: it maps such an
    array in place of sending it, {mapped.about} faster than a pool. It also
    makes batches of short calls itself. Otherwise concurrent.futures does,
    and needs nothing else.
    """
    return mapped > 1
