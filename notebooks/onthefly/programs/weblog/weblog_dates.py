"""Bytes sent by hour: the hour is cut out of the text; no dates are made."""

import re
import sys

LINE = re.compile(r'[^[]+\[[^:]+:(\d\d)[^"]+"[^"]+" (\d+) (\d+|-)')


def weblog_dates(file):
    """Return the bytes sent in each of the 24 hours of the day."""
    sent = [0] * 24
    with open(file, encoding="ascii") as log:
        for line in log:
            hour, status, size = LINE.match(line).groups()
            if status == "200":
                sent[int(hour)] += int(size)
    return sent


if __name__ == "__main__":
    print(weblog_dates(sys.argv[1]))
