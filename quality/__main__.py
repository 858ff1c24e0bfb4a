"""`python -m quality`: the command line."""

import sys

from quality.cli import main

if __name__ == "__main__":
    sys.exit(main())
