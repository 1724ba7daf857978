"""``python -m onthefly``: the command line."""

import sys

from onthefly.commands import main

if __name__ == "__main__":
    sys.exit(main())
