"""The same session of pytest as every CI service wraps it, and as terminals and tools deform it: 1 failed, 1 passed."""

import pytest

SESSION = (
    "============================= test session starts ==============================",
    "collected 2 items",
    "",
    "tests/test_a.py .F                                                       [100%]",
    "",
    "=================================== FAILURES ===================================",
    "=========================== short test summary info ============================",
    "FAILED tests/test_a.py::test_b - assert 0",
    "========================= 1 failed, 1 passed in 0.05s ==========================",
)
ESC, BEL = "\x1b", "\x07"


def each(form):
    """Every line in that form, numbered."""
    return "".join(form.format(line=line, n=n) for n, line in enumerate(SESSION))


WRAPPED = {
    "GitLab": each("2024-05-01T10:00:0{n}.000000Z 00O {line}\n"),
    "GitLab, stderr and continued": each("2024-05-01T10:00:0{n}.000000Z 01E {line}\n").replace(
        "01E ====", "01E+====", 0
    ),
    "GitLab sections": f"section_start:1:x\r{ESC}[0Krunning\n" + each("{line}\n") + f"section_end:2:x\r{ESC}[0K\n",
    "Jenkins timestamper": each("[2024-05-01T10:00:0{n}.123Z] {line}\n"),
    "Jenkins clock": each("10:00:0{n}  {line}\n"),
    "Azure": "2024-05-01T10:00:00.0000000Z ##[section]Starting: t\n"
    + each("2024-05-01T10:00:0{n}.0000000Z {line}\r\n"),
    "Buildkite": each(ESC + "_bk;t=170000000000{n}" + BEL + "{line}\r\n"),
    "GitHub CLI": each("test (3.12)\tRun pytest\t2024-05-01T10:00:0{n}.0000000Z {line}\n"),
    "GitHub CLI, BOM": each("test\tRun pytest\t\ufeff2024-05-01T10:00:0{n}.0000000Z {line}\n"),
    "docker compose": each("app-1  | {line}\n"),
    "act": each("[CI/test] | {line}\n"),
    "CR LF": each("{line}\r\n"),
    "256 colours": each(ESC + "[38;5;196m{line}" + ESC + "[0m\n"),
    "true colour": each(ESC + "[38;2;1;2;3m{line}" + ESC + "[39m\n"),
    "true colour with colons": each(ESC + "[38:2::1:2:3m{line}" + ESC + "[m\n"),
    "links": each(ESC + "]8;;http://x" + ESC + "\\{line}" + ESC + "]8;;" + ESC + "\\\n"),
    "BOM on every line": each("\ufeff{line}\n"),
    "progress bars before": "  0%| | 0/2\r 50%|#| 1/2\r100%|##| 2/2\n" + each("{line}\n"),
    "progress bar on each line": each("...{n}/9\r" + ESC + "[2K{line}\n"),
    "Windows paths": each("{line}\r\n").replace("tests/", "tests\\"),
}


@pytest.mark.parametrize("text", WRAPPED.values(), ids=WRAPPED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_the_counts_are_those_of_the_session(read, text, encoding):
    """Whatever stands around the lines, in whatever encoding they were saved."""
    [signal] = read(text.encode(encoding), "ci.log", story_id="S-1").signals
    assert (signal["tests_passed"], signal["tests_failed"], signal["tests_errors"]) == (1, 1, 0)


@pytest.mark.parametrize("kept", range(1, len(SESSION)))
def test_a_log_cut_before_its_summary_is_unknown(read, kept):
    """However many lines are left, no number is made of them."""
    said = read("\n".join(SESSION[:kept]) + "\n", "ci.log", story_id="S-1")
    assert not any("tests_total" in signal for signal in said.tables.get("signals", []))


def test_a_log_whose_beginning_is_lost_still_has_its_summary(read):
    """Services keep the last megabytes only."""
    [signal] = read("\n".join(SESSION[4:]) + "\n", "ci.log", story_id="S-1").signals
    assert (signal["tests_passed"], signal["tests_failed"]) == (1, 1)


@pytest.mark.parametrize("number", ["3000000000", "99999999999999999999", "-5", "1e3", "1,234", "1.5", "٣"])
def test_an_impossible_count_is_unknown(read, number):
    said = read(
        "\n".join(SESSION).replace("1 passed", f"{number} passed").replace("1 failed, ", ""), "x.log", story_id="S-1"
    )
    assert not any("tests_total" in signal for signal in said.tables.get("signals", []))
