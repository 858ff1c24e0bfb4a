"""Whatever texts and numbers a ledger holds, each format of the export gives the same rows back when it is imported."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from quality.commands import ExportRows, Filters, ImportArtifact
from quality.export import export_rows
from quality.export_columns import ROW_COLUMNS
from quality.ledger.ledger import Ledger
from quality.observations import Batch, Override, RunFact, SignalReading, StoryFact, Verdict
from quality.readers import formats

NOT_CARRIED = {
    "auto_at", "recorded_at", "settings_hash", "model_at_dispatch", "model_at_completion", "accepted", "started_at",
    "occurred_at", "verifier_rework", "verifier_correct", "human_rework", "human_correct",
}  # fmt: skip
"""Columns of a row that the subscriber's columns do not carry (MODEL.md lists what they carry). `rework` and `correct` are
one word a row, whoever said it."""
LATEST = datetime(2026, 3, 1, 9, 30, 0, 123456, tzinfo=UTC)
TROUBLE = (
    "=1+1", "'=1", "''@x", "+1", "-2", "@a", "\tx", "\rx", "'", "''", "'x", "007", "'007", "''007", "1-2", "'1-2", "MAR1", "1e5",
    "12345678901234567890", "0.10", "50%", "TRUE", "'true", "＝1", "\ufeffx", "שלום \u202e", "a\u2028b", 'say "hi"',
    "x,y;z", "line\nline", "line\r\nline", "ends\n", "日本🙂", "a\x0bb", "\x7f", "-", "null", "NaN", "None", "2026-01-02",
    "a\x00b",
)  # fmt: skip
TEXTS = st.sampled_from(TROUBLE) | st.text(st.sampled_from("ab=+-@'\"\t\r\n ,;é日🙂0179.:/\u2028\u202e"), max_size=12)
NAMES = TEXTS.map(lambda text: f"{text}x" if not text.strip() or text != text.strip() else text)
SCORES = st.sampled_from([0.0, 10.0, 0.1 + 0.2, 5e-324, 9.999999999999998]) | st.floats(0, 10)
FLAGS = st.none() | st.booleans()
COUNTS = st.none() | st.sampled_from([0, 1, 2**31 - 1])
TIMES = st.none() | st.integers(0, 10**12).map(lambda us: LATEST - timedelta(microseconds=us))
SIGNALS = st.builds(
    SignalReading, run=st.just(0), test_pass_rate=st.none() | st.floats(0, 1), tests_total=COUNTS, build_success=FLAGS,
    verified_by_ci=FLAGS, rework_count=COUNTS, micro_rework=COUNTS, pr_review_cycles=COUNTS, occurred_at=TIMES,
    duration_vs_estimate=st.none() | st.sampled_from([5e-324, 1.5, 1.7976931348623157e308]),
)  # fmt: skip
VERDICTS = st.builds(
    Verdict, run=st.just(0), quality=SCORES, rework=FLAGS, occurred_at=TIMES, verifier_agent=st.none() | NAMES,
    verifier_model=st.none() | NAMES,
)  # fmt: skip
OVERRIDES = st.builds(
    Override, run=st.just(0), quality=SCORES, rework=FLAGS, note=st.none() | TEXTS, reviewer=st.none() | NAMES,
    occurred_at=TIMES,
)  # fmt: skip
RUNS = st.builds(RunFact, story_id=NAMES, agent=NAMES, model_version=NAMES, attempt=st.sampled_from([1, 2]))
TOLD = st.tuples(RUNS, st.none() | NAMES, st.none() | SIGNALS, st.none() | VERDICTS, st.none() | OVERRIDES)


class Told:
    format = "told"
    batches: tuple = ()

    def recognises(self, artifact):
        return artifact.head.startswith(b"told")

    def read(self, artifact, target):
        yield from self.batches


@pytest.fixture
def reader(monkeypatch):
    reader = Told()
    monkeypatch.setattr(formats, "READERS", (*formats.READERS, reader))
    return reader


def filled(ledger, reader, folder, told):
    """The ledger with each of these runs once."""
    once = {(run.story_id, run.agent, run.model_version, run.attempt): rest for run, *rest in told}
    runs = {key: run for run, *_ in told if (key := (run.story_id, run.agent, run.model_version, run.attempt))}
    reader.batches = tuple(
        Batch.of(
            StoryFact(story_id=run.story_id, title=once[key][0], discipline=once[key][0]),
            run,
            *(part for part in once[key][1:] if part is not None),
        )
        for key, run in runs.items()
    )
    (folder / "artifact").write_text("told")
    ledger.execute(ImportArtifact(actor="ci", path=str(folder / "artifact")))


def carried(ledger):
    rows = ledger.store.rows("SELECT * FROM ledger ORDER BY run_id")
    return [{name: value for name, value in row.items() if name not in NOT_CARRIED} for row in rows]


@settings(
    max_examples=20,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)
@given(
    told=st.lists(TOLD, min_size=1, max_size=5),
    file_format=st.sampled_from(["csv", "excel", "jsonl", "parquet", "full"]),
)
def test_every_format_gives_the_same_rows(tmp_path_factory, reader, told, file_format):
    """Column by column, into an empty ledger; a full export gives every column."""
    folder = tmp_path_factory.mktemp("text")
    question = ExportRows(format="jsonl", full=True) if file_format == "full" else ExportRows(format=file_format)
    with Ledger(folder / "first.duckdb") as first:
        filled(first, reader, folder, told)
        export_rows(first.store, question, folder / "out")
        before, whole = carried(first), first.store.rows("SELECT * FROM ledger ORDER BY run_id")
    with Ledger(folder / "second.duckdb") as second:
        answer = second.execute(ImportArtifact(actor="eli", path=str(folder / "out")))
        assert answer.rejects == []
        assert carried(second) == before
        if file_format == "full":
            assert second.store.rows("SELECT * FROM ledger ORDER BY run_id") == whole


@pytest.mark.parametrize("file_format", ["csv", "excel", "jsonl", "parquet"])
def test_all_columns_give_the_same_rows_too(tmp_path, reader, file_format):
    """What else is known of a run is kept as attributes, and changes no row."""
    run = RunFact(story_id="S-1", agent="a", model_version="m", attempt=1)
    parts = [(run, "T", None, Verdict(run=0, quality=8.0, occurred_at=LATEST), None)]
    with Ledger(tmp_path / "first.duckdb") as first:
        filled(first, reader, tmp_path, parts)
        export_rows(first.store, ExportRows(format=file_format, columns=ROW_COLUMNS), tmp_path / "out")
        before = carried(first)
    with Ledger(tmp_path / "second.duckdb") as second:
        assert second.execute(ImportArtifact(actor="eli", path=str(tmp_path / "out"))).rejects == []
        assert carried(second) == before


def test_an_order_of_columns_of_ones_own_is_kept_and_read(tmp_path, reader):
    """JSON lines, typed: the filters, the order and the values."""
    run = RunFact(story_id="S-1", agent="a", model_version="m", attempt=1)
    with Ledger(tmp_path / "l.duckdb") as ledger:
        filled(ledger, reader, tmp_path, [(run, "T", None, Verdict(run=0, quality=8.0, occurred_at=LATEST), None)])
        question = ExportRows(
            format="jsonl", columns=("ts", "quality", "caveats", "note"), filters=Filters(story_id="S-1")
        )
        export_rows(ledger.store, question, tmp_path / "out")
    (line,) = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
    assert list(json.loads(line).items()) == [
        ("ts", "2026-03-01T09:30:00.123456Z"), ("quality", 8.0), ("caveats", []), ("note", None),
    ]  # fmt: skip
