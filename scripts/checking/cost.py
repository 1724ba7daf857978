"""What the book loses where a library is missing."""

import collections

from onthefly import claims


def lost(library):
    """Say which pages lose how many claims without a library; "" for none.

    library  its key in the lab's table, which the ledger's needs use, too
    """
    ledger, exist = claims.load(), claims.written()
    count = collections.Counter(
        claim.chapter
        for claim in ledger.claims.values()
        if {library, f"{library}-gpu"} & set(claim.needs)
        and claim.kind != "history"
        and claim.chapter in exist
    )
    if not count:
        return ""
    every = sum(count.values())
    pages = ", ".join(
        f"{slug} {count[slug]}" for slug in exist if count[slug]
    )
    noun = "claim" if every == 1 else "claims"
    return f"{every} {noun}, by page: {pages}"
