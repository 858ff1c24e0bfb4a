"""Which ledger does a dashboard open, and is it ready yet?

The one named by QUALITY_LEDGER, else the team's own, else the sample ledger, built on the first start. Own and
sample are two files that never mix. Opening runs in a thread, so that the server can show how far it is.
"""

import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from quality.errors import QualityError
from quality.ledger.backups import mark_as_sample
from quality.ledger.ledger import Ledger
from quality.settings import Settings, load_settings
from quality.trouble import Trouble, trouble_with

_log = logging.getLogger(__name__)

DATA = Path(__file__).resolve().parents[1] / "data"
"""Where the ledgers of this checkout lie."""
OWN_NAME, SAMPLE_NAME, BUILDING_NAME = "ledger.duckdb", "sample.duckdb", "sample-building.duckdb"
PURPOSE = "dashboard"
GRACE_SECONDS = 5.0
"""How long a replaced ledger stays open for the pages that are being drawn from it."""

Progress = Callable[[str, float], None]
"""What is being done, and which share of the whole is done, 0–1."""
Builder = Callable[[Ledger, Progress], None]


@dataclass(frozen=True)
class State:
    """What a page needs to know before it asks the ledger."""

    phase: Literal["idle", "opening", "ready", "failed"] = "idle"
    ledger: Ledger | None = None
    sample: bool = False
    doing: str = ""
    done: float = 0.0
    reason: str = ""
    """Why it failed, with the remedy."""
    trouble: Trouble | None = None
    """The same, with what helps, where it is about a file."""


@dataclass
class Home:
    """The ledger of this process. Every method may be called from any thread."""

    data: Path = DATA
    builder: Builder | None = None
    """Fills an empty sample ledger."""
    on_open: list[Callable[[Ledger], None]] = field(default_factory=list)
    """Called with each ledger that becomes the current one."""
    on_close: list[Callable[[], None]] = field(default_factory=list)
    """Called before the files are let go of: work that is under way ends itself."""
    _state: State = State()
    _changing: threading.Lock = field(default_factory=threading.Lock)
    _retired: list[Ledger] = field(default_factory=list)

    @property
    def state(self) -> State:
        return self._state

    def ledger(self) -> Ledger:
        """The open ledger.

        Raises:
            QualityError: it is not open; says why.
        """
        if self._state.ledger is None:
            raise QualityError(self._state.reason or "the ledger is not open yet: try again in a moment")
        return self._state.ledger

    def settings(self) -> Settings:
        """The settings of the ledger that is, or will be, opened.

        Raises:
            QualityError: what `load_settings` refuses.
        """
        return load_settings(self._choice()[0]).values

    def start(self) -> None:
        """Begin to open the ledger, unless that has begun or failed before; returns at once."""
        self._begin("idle")

    def retry(self) -> None:
        """Begin again after a failure."""
        self._begin("failed")

    def _begin(self, phase: str) -> None:
        with self._changing:
            if self._state.phase != phase:
                return
            self._state = State("opening", doing="Opening the ledger")
        threading.Thread(target=self._open, name="open-ledger", daemon=True).start()

    def use(self, ledger: Ledger, sample: bool = False) -> None:
        """Make an open ledger the current one; the one before it is closed a little later."""
        before, self._state = self._state.ledger, State("ready", ledger, sample, done=1.0)
        for announce in self.on_open:
            announce(ledger)
        if before is not None:
            before.store.owner.forget()
            self._retired.append(before)
            timer = threading.Timer(GRACE_SECONDS, self._close_retired)
            timer.daemon = True
            timer.start()

    def start_own(self) -> Ledger:
        """Leave the sample: create the team's own ledger and make it the current one.

        Raises:
            QualityError: the current ledger is not the sample, or the file cannot be created.
        """
        with self._changing:
            if not self._state.sample:
                raise QualityError("the sample ledger is not open: your own ledger already is")
            own = self._opened(self.data / OWN_NAME)
            self.use(own)
            return own

    def close(self) -> None:
        """Let go of every file."""
        for end in self.on_close:
            end()
        with self._changing:
            current, self._state = self._state.ledger, State()
            self._close_retired()
            if current is not None:
                current.close()

    def _open(self) -> None:
        path, sample = self._choice()
        try:
            if sample and not path.exists():
                self._build_sample(path)
            ledger = self._opened(path)
        except Exception as error:
            if not isinstance(error, (QualityError, OSError)):
                _log.exception("the ledger could not be opened")
            trouble = trouble_with(path, error, sample)
            self._state = State("failed", reason=trouble.reason, trouble=trouble)
        else:
            self._settle(ledger, sample)

    def _settle(self, ledger: Ledger, sample: bool) -> None:
        """Make it the current one, unless the process has been told to let go meanwhile."""
        with self._changing:
            if self._state.phase == "opening":
                if sample:
                    mark_as_sample(ledger.store)
                self.use(ledger, sample)
            else:
                ledger.close()

    def _choice(self) -> tuple[Path, bool]:
        named, sample = os.environ.get("QUALITY_LEDGER"), self.data / SAMPLE_NAME
        if named:
            return Path(named), Path(named).resolve() == sample.resolve()
        own = self.data / OWN_NAME
        return (own, False) if own.exists() or self.builder is None else (sample, True)

    def _build_sample(self, path: Path) -> None:
        """Into a file of its own that gets its name when it is whole; an interrupted build is continued."""
        assert self.builder is not None
        building = self.data / BUILDING_NAME
        self._tell("Building the sample ledger", 0.0)
        with self._opened(building, served=False) as ledger:
            self.builder(ledger, self._tell)
        building.replace(path)

    def _opened(self, path: Path, served: bool = True) -> Ledger:
        settings = load_settings(path).values
        return Ledger(path, settings, purpose=PURPOSE, served=served)

    def _tell(self, doing: str, done: float) -> None:
        if self._state.phase == "opening":
            self._state = State("opening", doing=doing, done=min(max(done, 0.0), 1.0))

    def _close_retired(self) -> None:
        while self._retired:
            self._retired.pop().close()
