"""Bytes sent by hour: the line is split at its blanks."""

import sys


def weblog_split(file):
    """Return the bytes sent in each of the 24 hours of the day."""
    sent = [0] * 24
    with open(file, encoding="ascii") as log:
        for line in log:
            fields = line.split(" ")
            if fields[8] == "200":
                hour = fields[3][13:15]  # of [29/Nov/2026:13:55:36
                sent[int(hour)] += int(fields[9])
    return sent


if __name__ == "__main__":
    print(weblog_split(sys.argv[1]))
