"""Who holds the ledger file? One process, with a cursor a thread and one writer.

The only module that imports duckdb. A side lock is held from before the file is opened until after it is
closed: processes that merely take turns at opening it lose committed rows (DESIGN.md, measured).
"""

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from weakref import WeakSet

import duckdb
import pyarrow as pa

from quality.errors import LedgerBusy, LedgerDamaged, LedgerUnusable
from quality.ledger import timing
from quality.ledger.gate import Gate
from quality.ledger.locking import take_lock
from quality.ledger.owner import OwnerFile

STORAGE_VERSION = "v1.5.0"
"""Both 1.5.x and 2.0.x open a file written so."""
GRACE_SECONDS = 5.0
"""How long reads that are under way hold an exchange of the file up; then they break off."""
LET_GO_SECONDS = 0.01
"""Between two tries to close what is still at work."""
BUSY: Any = getattr(duckdb, "ResourceInUseException", ())
"""Raised by 2.0 where a connection is at work; 1.5 waits."""
FOREVER = datetime(9999, 1, 1, tzinfo=UTC)


class Store:
    """An open ledger file.

    Raises (on construction):
        LedgerBusy: another process holds the file longer than `wait` seconds; names the holder.
        LedgerUnusable: no permission, not a DuckDB file, a full disk.
    """

    def __init__(self, path: Path, wait: float, purpose: str) -> None:
        self.path = path.resolve()
        self.owner = OwnerFile(self.path)
        self._lock = take_lock(self.path, wait, self.owner)
        self._writer = threading.RLock()
        self._gate = Gate()
        self._exchanges = 0
        """How often the file was exchanged for another."""
        self._threads = threading.local()
        self._cursors: WeakSet[duckdb.DuckDBPyConnection] = WeakSet()
        """Every cursor that may still be open: one of them is enough to keep the file open."""
        self._last_instant = datetime.min.replace(tzinfo=UTC)
        self.version = 0
        """Counts the write transactions of this process; reads are cached by it."""
        self._given_up = False
        """Whether DuckDB refuses all further work on the connection."""
        try:
            self.owner.announce(purpose)
            self._connection = _connect(self.path)
        except BaseException:
            self.owner.forget()
            self._lock.release()
            raise

    def close(self) -> None:
        """Close the file, then let go of it. A read that is still under way in another thread breaks off."""
        with self._writer:
            self._close_connection()
            self.owner.forget()
            self._lock.release()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """This thread's cursor."""
        self._reopen_if_given_up()
        if not hasattr(self._threads, "cursor"):
            self._threads.cursor = self._new_cursor()
            self._threads.parsed = {}
        return self._threads.cursor

    def _reopen_if_given_up(self) -> None:
        """DuckDB gives a database up after a failed checkpoint; opened anew it is as of the last commit.

        The lock is held throughout. Raises LedgerUnusable while the file cannot be opened; the next call tries again.
        """
        if not self._given_up:
            return
        with self._writer:
            if not self._given_up:
                return  # another thread has done it meanwhile
            self._close_connection()
            self._open_again()

    def _open_again(self) -> None:
        self._given_up = True  # until it is open
        self._threads = threading.local()
        self._connection = _connect(self.path)
        self._given_up = False

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else writes inside the block; a transaction in it is still one of its own."""
        with self._writer:
            yield

    def checkpoint(self) -> None:
        """Bring everything that is committed into the file itself, so that its bytes are the whole ledger.

        Call it `alone`; the bytes stay as they are until the block is left.

        Raises:
            LedgerUnusable: it cannot be done, as on a full disk.
        """
        try:
            self.cursor().execute("CHECKPOINT")
        except duckdb.Error as error:
            self._given_up = self._given_up or isinstance(error, duckdb.FatalException)
            raise _explained(self.path, error) from error
        if _has_wal(self.path):
            raise LedgerBusy(f"{self.path}: a write is not in the file yet: try again in a moment")

    def exchange(self, swap: Callable[[], None]) -> None:
        """Close the file, let `swap` put another in its place, and go on with what lies there then.

        New reads wait meanwhile; those under way have `GRACE_SECONDS` to end, then they break off. Where `swap` raises,
        the file is opened again as it lies. The side lock and the owner file stay as they are.

        Raises:
            LedgerBusy: the file cannot be let go of; nothing was swapped.
        """
        with self._writer, self._gate.closed(GRACE_SECONDS):
            self.checkpoint()
            self._exchanges += 1
            self._close_connection()
            try:
                self._refuse_open()
                swap()
            finally:
                self.version += 1
                self._open_again()

    def _refuse_open(self) -> None:
        """A database that is still open somewhere in this process would be handed out again under the same name.

        DuckDB refuses to open it in another mode then, which tells.
        """
        gc.collect()
        try:
            duckdb.connect(str(self.path), read_only=True).close()
        except duckdb.Error as error:
            raise LedgerBusy(f"{self.path}: is still being read: try again in a moment") from error
        if _has_wal(self.path):
            raise LedgerBusy(f"{self.path}: a write is not in the file yet: try again in a moment")

    def _close_connection(self) -> None:
        deadline = time.monotonic() + GRACE_SECONDS
        for each in (*self._cursors, self._connection):
            while not _closed(each) and time.monotonic() < deadline:
                time.sleep(LET_GO_SECONDS)

    def _new_cursor(self) -> duckdb.DuckDBPyConnection:
        self._reopen_if_given_up()
        cursor = self._connection.cursor()
        self._cursors.add(cursor)
        return cursor

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """A read; one that breaks off because the file is exchanged says so."""
        with self._gate.reading():
            before = self._exchanges
            try:
                yield
            except duckdb.Error as error:
                if self._exchanges == before:
                    raise
                raise LedgerBusy(f"{self.path}: another state was restored while it was read: try again") from error

    def rows(self, sql: str, params: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """A query's rows as dictionaries; for few rows."""
        began = timing.start()
        with self._reading():
            found = self.cursor().execute(sql, params or {})
            names = [column[0] for column in found.description]
            rows = [dict(zip(names, row)) for row in found.fetchall()]
        timing.note(began, len(rows))
        return rows

    def table(self, sql: str, params: dict[str, Any] | None = None) -> pa.Table:
        """A query's rows as an Arrow table."""
        began = timing.start()
        with self._reading():
            table = self.cursor().sql(sql, params=params or {}).to_arrow_table()
        timing.note(began, table.num_rows)
        return table

    @contextmanager
    def snapshot(self) -> Iterator["Transaction"]:
        """Reads that all see one state, on a cursor of their own, so that a long one may be handed between threads."""
        began = timing.start()
        with self._reading():
            cursor = self._new_cursor()
            reading = Transaction(cursor, datetime.now(UTC), {})
            try:
                cursor.execute("BEGIN")
                yield reading
            finally:
                timing.note(began, reading.rows_read)
                self._cursors.discard(cursor)
                _roll_back(cursor)
                with suppress(duckdb.Error):
                    cursor.close()

    @contextmanager
    def transaction(self) -> Iterator["Transaction"]:
        """One write at a time, all or nothing, durable when the block is left."""
        with self._writer:
            cursor = self.cursor()
            cursor.execute("BEGIN")
            try:
                yield Transaction(cursor, self._instant(), self._threads.parsed)
                cursor.execute("COMMIT")
            except BaseException as error:
                _roll_back(cursor)
                self._given_up = self._given_up or isinstance(error, duckdb.FatalException)
                if isinstance(error, duckdb.Error) and not isinstance(error, duckdb.ProgrammingError):
                    raise _explained(self.path, error) from error
                raise
            self.version += 1

    def _instant(self) -> datetime:
        """Now, and later than every instant given out before, so that the order of writes is the order of times."""
        self._last_instant = max(datetime.now(UTC), self._last_instant + timedelta(microseconds=1))
        return self._last_instant


class Transaction:
    """A write in progress: statements on one cursor, all at one instant."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, now: datetime, parsed: dict[str, Any]) -> None:
        self._cursor = cursor
        self._parsed = parsed
        self.now = now
        self.rows_read = 0

    def execute(self, sql: str, params: dict[str, Any] | None = None) -> None:
        self._run(sql, params)

    def rows(self, sql: str, params: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        found = self._run(sql, params)
        names = [column[0] for column in found.description]
        rows = [dict(zip(names, row)) for row in found.fetchall()]
        self.rows_read += len(rows)
        return rows

    def row(self, sql: str, params: dict[str, Any] | None = None) -> dict[str, Any] | None:
        return next(iter(self.rows(sql, params)), None)

    def value(self, sql: str, params: dict[str, Any] | None = None) -> Any:
        rows = self._run(sql, params).fetchall()
        return rows[0][0] if rows else None

    def table(self, sql: str, params: dict[str, Any] | None = None) -> pa.Table:
        table = self._cursor.sql(sql, params=params or {}).to_arrow_table()
        self.rows_read += table.num_rows
        return table

    def _run(self, sql: str, params: dict[str, Any] | None) -> duckdb.DuckDBPyConnection:
        """Parsing takes as long as running a small statement, so each text is parsed once a cursor."""
        if sql not in self._parsed:
            self._parsed[sql] = self._cursor.extract_statements(sql)[0]
        return self._cursor.execute(self._parsed[sql], params or {})

    def batches(self, sql: str, params: dict[str, Any] | None = None, rows: int = 65_536) -> Iterator[pa.RecordBatch]:
        """A query's rows as they come, about `rows` at a time; nothing else may be run until the last."""
        yield from self._cursor.sql(sql, params=params or {}).to_arrow_reader(rows)

    @contextmanager
    def seeing(self, **tables: pa.Table) -> Iterator[None]:
        """Make Arrow tables readable by name inside the block, without a copy."""
        lent = {name: _Lent(table) for name, table in tables.items()}
        for name, table in lent.items():
            self._cursor.register(name, table)
        try:
            yield
        finally:
            for name, table in lent.items():
                self._cursor.unregister(name)
                table.take_back()


@contextmanager
def reading_file(path: Path) -> Iterator[Transaction]:
    """A ledger file that nobody writes to, such as a backup, read only; nothing is made beside it.

    Raises:
        LedgerUnusable: not a file that DuckDB can open, or a damaged one.
    """
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            yield Transaction(connection, datetime.now(UTC), {})
    except duckdb.Error as error:
        raise _explained(path, error) from error


class _Lent:
    """An Arrow table that can be taken back: DuckDB keeps what was registered until the transaction ends."""

    def __init__(self, table: pa.Table) -> None:
        self._table: pa.Table | None = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        assert self._table is not None, "read after it was taken back"
        return self._table.__arrow_c_stream__(requested_schema)

    def take_back(self) -> None:
        self._table = None


def _closed(connection: duckdb.DuckDBPyConnection) -> bool:
    """Break off what is under way on it and close it; false while that has not ended yet."""
    try:
        connection.interrupt()
        connection.close()
    except BUSY:
        return False
    except duckdb.Error:
        pass  # its own thread closed it at this moment, or DuckDB has given it up
    return True


def _has_wal(path: Path) -> bool:
    """Whether what was committed last stands beside the file and not in it yet."""
    wal = path.with_name(path.name + ".wal")
    return wal.exists() and wal.stat().st_size > 0


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    config = {
        "storage_compatibility_version": STORAGE_VERSION,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    try:
        connection = duckdb.connect(str(path), config=config)
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("SET enable_progress_bar = false")
        return connection
    except duckdb.Error as error:
        raise _explained(path, error) from error


def _explained(path: Path, error: duckdb.Error) -> LedgerUnusable | LedgerBusy:
    """DuckDB's error as one line with a remedy."""
    text = str(error)
    first = text.splitlines()[0]
    if "Could not set lock" in text:
        return LedgerBusy(f"{path}: another program has it open: close it and try again")
    if "No space left" in text or "disk" in text.lower():
        return LedgerUnusable(
            f"{path}: nothing was stored, the disk is full or failing: make room and try again ({first})"
        )
    foreign = ("not a valid DuckDB", "Serialization", "corrupt", "newer version", "sqlite_scanner")
    if any(sign.lower() in text.lower() for sign in foreign):
        return LedgerDamaged(
            f"{path}: not a ledger that this version can open: name another file, or restore a backup ({first})"
        )
    return LedgerUnusable(f"{path}: nothing was stored: {first}")


def _roll_back(cursor: duckdb.DuckDBPyConnection) -> None:
    try:
        cursor.execute("ROLLBACK")
    except duckdb.Error:
        return  # the failed statement has already ended the transaction
