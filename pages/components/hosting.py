"""Which ledger has this process? State of the process, shared by every session and by `app.py`."""

from quality.home import Home
from quality.sample import build_sample

HOME = Home(builder=build_sample)
"""The one ledger of this process. `app.py` starts it; a test makes its own current with `HOME.use(ledger)`."""
