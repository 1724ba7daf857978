"""Bytes sent by hour: the csv module reads the fields."""

import csv


def weblog_csv(file):
    """Return the bytes sent in each of the 24 hours of the day."""
    sent = [0] * 24
    with open(file, encoding="ascii", newline="") as log:
        for fields in csv.reader(log, delimiter=" "):
            if fields[6] == "200":
                sent[int(fields[3][13:15])] += int(fields[7])
    return sent
