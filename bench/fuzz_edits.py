"""How is an artifact changed so that it stays nearly one? Edits of lines, words, numbers and archive members."""

import io
import json
import random
import re
import zipfile
from functools import lru_cache
from pathlib import Path

ASSETS = Path(__file__).parents[1] / "tests" / "assets"
MOST_LINES = 4_000
MOST_MEMBER = 1 << 20
NUMBERS = (
    b"0", b"-1", b"1", b"2", b"007", b"1e3", b"1.5", b"2147483647", b"2147483648", b"9223372036854775808", b"9" * 25,
    b"-0", b"NaN", b"Infinity", b"1e999", b"0x10", b"1,000", b"1.000", "١٢".encode(), b"",
)  # fmt: skip
WORDS = (
    b"null", b"true", b"[]", b"{}", b'""', b'"x"',
    b"passed", b"failed", b"skipped", b"PASSED", b"FAILED", b"ERROR", b"ok ",
    b"not ok ", b" # TODO", b" # SKIP", b"error", b"warning", b"success", b"cancelled", b"<failure/>", b"<skipped/>",
    b"<rerunFailure/>", b"<flakyFailure/>", b"<testcase name='a'/>", b"</testsuite>",
    b"<testsuite>", b"&#0;", b"&amp;", b"<![CDATA[",
    b"\x1b[31m", b"\x1b[38;2;1;2;3m", b"\x1b[2K\r", b"\r", b"\xef\xbb\xbf",
    b"\xff\xfe", b"\0", b"\xe2\x80\xa8", b"\xc2\x85", b"\\ud800",
    b"##[group]Run x\n", b"##[endgroup]\n", b"2026-01-01T00:00:00.0000000Z ",
    b"[2026-01-01 00:00:00] ", b"> ", b"```\n",
    b"# synlynk-meta\n", b"quality=7\n", b'{"quality": 7}', b"8/10",
    b"10/10", b"```json\n", b"test result: ok. ", b"Tests: ", b" in 0.1s",
    b"= 1 passed in 0.1s =",
)  # fmt: skip
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_VALUE = re.compile(rb'"(?:[^"\\\n]|\\.){0,200}"(?=\s*[,}\]])|\b(?:true|false|null)\b')


def edited(data: bytes, chance: random.Random) -> bytes:
    """One to four edits; the same again for the same seed."""
    if data.startswith(b"PK\x03\x04") and chance.random() < 0.8:
        return _in_archive(data, chance)
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if utf16:
        data = data.decode("utf-16", "replace").encode()
    for _ in range(chance.choice((1, 1, 2, 4))):
        data = chance.choice(EDITS)(data, chance)
    if utf16 or chance.random() < 0.01:
        return data.decode("utf-8", "replace").encode("utf-16")
    return data


def _number(data: bytes, chance: random.Random) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    place = chance.choice(found)
    return data[: place.start()] + chance.choice(NUMBERS) + data[place.end() :]


def _value(data: bytes, chance: random.Random) -> bytes:
    found = list(_VALUE.finditer(data))
    if not found:
        return _word(data, chance)
    place = chance.choice(found)
    return data[: place.start()] + chance.choice((*NUMBERS, *WORDS[:6])) + data[place.end() :]


def _word(data: bytes, chance: random.Random) -> bytes:
    place = chance.randint(0, len(data))
    return data[:place] + chance.choice(WORDS) + data[place + chance.choice((0, 0, 1, 4)) :]


def _line(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)[:MOST_LINES]
    if not lines:
        return chance.choice(WORDS)
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    what = chance.randrange(6)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines.insert(at, lines[other])
    elif what == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif what == 3:
        lines[at : at + 1] = [lines[at]] * chance.choice((2, 3, 50))
    elif what == 4:
        lines[at] = chance.choice((b"  ", b"\t", b"> ", b"\xef\xbb\xbf", b"12:00:00 ", b"\x1b[1m")) + lines[at]
    else:
        lines[at:at] = _borrowed(chance)
    return b"".join(lines)


def _borrowed(chance: random.Random) -> list[bytes]:
    lines = _all_lines()
    at = chance.randrange(len(lines))
    return list(lines[at : at + chance.choice((1, 1, 3, 20))])


@lru_cache
def _all_lines() -> tuple[bytes, ...]:
    paths = [
        path for path in sorted(ASSETS.rglob("*")) if path.is_file() and path.suffix not in (".md", ".zip", ".eval")
    ]
    return tuple(line for path in paths for line in path.read_bytes().splitlines(keepends=True) if len(line) < 1_000)


def _cut(data: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] if chance.random() < 0.5 else data[at:]


def _nested(data: bytes, chance: random.Random) -> bytes:
    """A value of a JSON document in a list, or its first keys once more."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _word(data, chance)
    if isinstance(value, list) and value:
        value = chance.choice((value * 2, value[:1], [value], value[0], [*value, None]))
    elif isinstance(value, dict) and value:
        key = chance.choice(sorted(value))
        part = value[key]
        value = chance.choice(
            ({**value, key: [part]}, {**value, key: None}, part, [value], {**value, key: {"x": part}})
        )
    return json.dumps(value).encode("utf-8", "surrogatepass")


def _in_archive(data: bytes, chance: random.Random) -> bytes:
    """Packed again with a member edited, renamed, doubled or gone."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [
                (i.filename, archive.read(i)[:MOST_MEMBER]) for i in archive.infolist() if i.file_size < MOST_MEMBER
            ]
    except Exception:  # a damaged archive has many kinds of error
        return _word(data, chance)
    if not members:
        return _word(data, chance)
    at = chance.randrange(len(members))
    name, content = members[at]
    what = chance.randrange(6)
    if what <= 3:
        members[at] = (name, edited(content, chance))
    elif what == 4:
        members[at] = (
            chance.choice(("../x", "/etc/x", "C:\\x", "a/" * 50, "", "__MACOSX/._x", "header.json")),
            content,
        )
    else:
        members.pop(at)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name or "x"), content)
    return out.getvalue()


EDITS = (_number, _number, _value, _value, _word, _line, _line, _line, _cut, _nested)
