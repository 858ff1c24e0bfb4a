"""Which ledger do the pages of this process read? State of the process, shared by every session and by `app.py`."""

from quality.home import Home
from quality.ledger.ledger import Ledger
from quality.sample import build_sample

HOME = Home(builder=build_sample)
"""The one ledger of this process. `app.py` starts it; a test makes its own current with `HOME.use(ledger)`."""


def ledger() -> Ledger:
    """The open ledger.

    Raises:
        QualityError: it is not open; says why.
    """
    return HOME.ledger()
