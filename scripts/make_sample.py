"""How was `data/sample/` made? By hand, from three originals: `python scripts/make_sample.py FOLDER`.

It renames and scales, and invents nothing: what the originals do not record stays empty, and a judge's cell
that is not a number stays as it was written, for the import to judge. `data/README.md` tells the origin.
"""

import csv
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "sample"
CONALA, HUMANEVAL = "conala_humans_vs_gpt35.csv", "humaneval_exec_vs_gpt35.csv"
WORKSPACE = "synlynk-state.db"
"""The originals; the workspace is taken as it is."""

JUDGE_MODEL = "gpt-3.5-turbo"
SCALE = 2.5
"""The originals grade 0–4; the ledger rates 0–10."""
CONALA_JUDGE = "judge_gpt35_no_reference"
"""The judge that saw the task and the code only, as a verifier of new work does."""
OTHER_JUDGE = "judge_gpt35_with_reference"
"""Kept beside it as an attribute, its four sentences included."""

CONALA_COLUMNS = (
    "id", "story_id", "discipline", "org_domain", "phase", "model", "source", "quality", "raw", "rater",
    "verifier_model", OTHER_JUDGE,
)  # fmt: skip
TEST_COLUMNS = (
    "story_id", "discipline", "org_domain", "phase", "model_version", "attempt", "test_pass_rate", "sample",
)  # fmt: skip
JUDGE_COLUMNS = ("id", "story_id", "attempt", "model", "source", "quality", "raw", "verifier_model")


def scaled(grade: str) -> str:
    """A grade 0–4 on the ledger's 0–10; anything that is not a number as it was written.

    >>> scaled("3"), scaled("0"), scaled("Score: 3")
    ('7.5', '0', 'Score: 3')
    """
    return f"{int(grade) * SCALE:g}" if grade.isdigit() else grade


def raw(grade: str) -> str:
    """The grade that was scaled; empty where nothing was."""
    return grade if grade.isdigit() else ""


def conala(rows: Iterable[dict[str, str]]) -> Iterator[tuple[str, ...]]:
    """A row a rating: each human grade, then the judge's."""
    for row in rows:
        story, model = f"conala-{row['story_id']}", row["model"]
        place = (story, "python", "conala", "build", model)
        for grader in (name for name in row if name.startswith("human_grader") and row[name]):
            grade = row[grader]
            yield (f"{story}/{model}/{grader}", *place, "human", scaled(grade), raw(grade), grader, "", "")
        grade, other = row[CONALA_JUDGE], row[OTHER_JUDGE]
        verdict = ("verifier", scaled(grade), raw(grade), "", JUDGE_MODEL)
        yield (f"{story}/{model}/judge", *place, *verdict, other)


def humaneval_tests(rows: Iterable[dict[str, str]]) -> Iterator[tuple[str, ...]]:
    """A row a sample: whether its task's unit tests passed. Samples count from 0, attempts from 1."""
    for row in rows:
        attempt = str(int(row["sample"]) + 1)
        yield (row["story_id"], "python", "humaneval", "build", "", attempt, row["tests_pass"], row["sample"])


def humaneval_judge(rows: Iterable[dict[str, str]]) -> Iterator[tuple[str, ...]]:
    """A row a sample: what the judge said."""
    for row in rows:
        story, attempt, grade = row["story_id"], str(int(row["sample"]) + 1), row["judge_gpt35_0to4"]
        verdict = ("verifier", scaled(grade), raw(grade), JUDGE_MODEL)
        yield (f"{story}/{attempt}/judge", story, attempt, "", *verdict)


def write(name: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    with (SAMPLE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main(originals: Path) -> None:
    SAMPLE.mkdir(parents=True, exist_ok=True)
    write("conala-ratings.csv", CONALA_COLUMNS, conala(read(originals / CONALA)))
    samples = read(originals / HUMANEVAL)
    write("humaneval-tests.csv", TEST_COLUMNS, humaneval_tests(samples))
    write("humaneval-judge.csv", JUDGE_COLUMNS, humaneval_judge(samples))
    shutil.copyfile(originals / WORKSPACE, SAMPLE / WORKSPACE)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python scripts/make_sample.py FOLDER-WITH-THE-ORIGINALS")
    main(Path(sys.argv[1]))
