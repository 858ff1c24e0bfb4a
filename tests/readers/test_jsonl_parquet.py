"""JSONL and Parquet hold the same rows as a CSV, with types of their own."""

from datetime import UTC, datetime
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

GOOD = '{"story_id": "S-1", "source": "human", "quality": 7.5, "note": "a"}'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_an_object_a_line(read, encoding, ending):
    said = read((GOOD + ending + ending + GOOD.replace("S-1", "Größe")).encode(encoding))
    assert said.format == "jsonl"
    assert [(o["line"], o["quality"]) for o in said.overrides] == [(1, 7.5), (3, 7.5)]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"story_id": "S-2", ', None), ("[1, 2]", None), ("7", None), ("{}", None), ('{"quality": 7, "source": "human"}', None),
        (GOOD.replace("7.5", "NaN"), "quality"), (GOOD.replace("7.5", "Infinity"), "quality"),
        (GOOD.replace("7.5", "85"), "quality"),
        (GOOD.replace("7.5", "[7]"), "quality"), (GOOD.replace("7.5", "true"), "quality"),
        (GOOD.replace('"a"', '"\\ud800"'), None),
        ("[" * 100_000, None), (GOOD.replace("7.5", "9" * 5000), None),
    ],
)  # fmt: skip
def test_a_bad_line_is_a_reject_and_the_others_are_read(read, line, field):
    said = read(GOOD + "\n" + line + "\n" + GOOD + "\n")
    assert [(r["line"], r.get("field")) for r in said.rejects] == [(2, field)]
    assert [o["line"] for o in said.overrides] == [1, 3]


def test_a_number_as_text_is_a_number_and_nested_values_are_kept_as_json(read):
    said = read(
        '{"story_id": 17, "source": "human", "quality": "8/10", "note": 5, "tags": ["a", {"b": 1}], "n": 3, "x": null}'
    )
    assert (said.overrides[0]["quality"], said.overrides[0]["note"], said.stories[0]["story_id"]) == (8.0, "5", "17")
    assert said.runs[0]["attributes"] == '{"tags": ["a", {"b": 1}], "n": 3}'


def test_rows_of_both_shapes_may_be_mixed(read):
    said = read(GOOD + '\n{"story_id": "S-2", "build_success": true, "quality_human": 3}\n')
    assert sorted(o["quality"] for o in said.overrides) == [3.0, 7.5]
    assert [s["build_success"] for s in said.signals] == [True]


def test_an_array_of_objects_is_read_with_its_lines(read):
    said = read(f"[\n  {GOOD},\n  {GOOD.replace('7.5', '85')}\n]\n", name="rows.json")
    assert [o["line"] for o in said.overrides] == [2]
    assert said.reasons == [(3, "quality", "85")]


@pytest.mark.parametrize("broken", [f"[{GOOD},\n{GOOD}", f"[{GOOD},\n{{]", f"[{GOOD}\n{GOOD}]", f"[{GOOD}]\nx"])
def test_a_broken_array_keeps_what_was_whole(read, broken):
    said = read(broken)
    assert said.overrides
    assert len(said.rejects) == 1


def test_columns_come_with_their_types(read, tmp_path):
    path = tmp_path / "rows.csv"  # the content tells, not the name
    noon = datetime(2026, 8, 1, 12, tzinfo=UTC)
    table = pa.table({
        "story_id": pa.array(["S-1", "S-2"]).dictionary_encode(),
        "model": pa.array(["m", "m"], pa.large_string()),
        "attempt": pa.array([1, 2], pa.int64()),
        "quality_human": pa.array([Decimal("7.50"), Decimal("85.00")]),
        "test_pass_rate": pa.array([0.5, float("nan")]),
        "build_success": [True, None],
        "human_at": pa.array([noon.replace(tzinfo=None)] * 2, pa.timestamp("ns")),
        "ts": pa.array([noon, None], pa.timestamp("us", "Europe/Berlin")),
        "tags": [["a"], None],
    })  # fmt: skip
    pq.write_table(table, path)
    said = read(path)
    assert said.format == "parquet"
    assert [(o["line"], o["quality"], o["occurred_at"]) for o in said.overrides] == [(1, 7.5, noon)]
    assert [(s["test_pass_rate"], s["build_success"], s["occurred_at"]) for s in said.signals] == [(0.5, True, noon)]
    assert [(r["line"], r["field"], r["value"]) for r in said.rejects] == [
        (2, "quality_human", "85.00"),
        (2, "test_pass_rate", "nan"),
    ]
    assert said.runs[0]["attributes"] == '{"tags": "[\\"a\\"]"}'
    assert "2 times state no zone" in said.warnings[0]


def test_a_truncated_parquet_file_is_a_reject(read, tmp_path):
    pq.write_table(pa.table({"story_id": ["S-1"], "quality_human": [7.0]}), tmp_path / "whole.parquet")
    said = read((tmp_path / "whole.parquet").read_bytes()[:-20], name="cut.parquet")
    assert (said.format, len(said.rejects)) == ("parquet", 1)
    assert "cannot be read as Parquet" in said.rejects[0]["reason"]


def test_a_parquet_file_without_story_ids_names_the_column(read, tmp_path):
    pq.write_table(pa.table({"x": [1]}), tmp_path / "x.parquet")
    assert "no column story_id" in read(tmp_path / "x.parquet").rejects[0]["reason"]
