"""Bytes sent by hour: a regular expression, and a date of every line."""

import re
import sys
from datetime import datetime

LINE = re.compile(
    r'(\S+) \S+ \S+ \[([^]]+)\] "(\S+) (\S+) \S+" (\d+) (\d+|-)'
)
DATE = "%d/%b/%Y:%H:%M:%S %z"


def parse(line):
    host, date, method, path, status, size = LINE.match(line).groups()
    return {
        "host": host,
        "time": datetime.strptime(date, DATE),
        "request": (method, path),
        "status": int(status),
        "size": 0 if size == "-" else int(size),
    }


def weblog_python(file):
    """Return the bytes sent in each of the 24 hours of the day."""
    sent = [0] * 24
    with open(file, encoding="ascii") as log:
        for line in log:
            entry = parse(line)
            if entry["status"] == 200:
                sent[entry["time"].hour] += entry["size"]
    return sent


if __name__ == "__main__":
    print(weblog_python(sys.argv[1]))
