"""What text is in these bytes? UTF-8 or UTF-16, with or without a BOM, any line ending.

What cannot be decoded is marked, not guessed: the record it is in becomes a reject, the others are read.
"""

import codecs
import io
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

UTF8, UTF16 = "utf-8", "utf-16"
MAX_LINE = 16 * 1024 * 1024
"""Characters of one physical line; a longer one is not read into memory."""
_MARK = "quality.mark"
_NOT_TEXT = dict.fromkeys(set(range(32)) - {8, 9, 10, 12, 13, 27} | {0xDCFF})
"""Characters that are rare in a text and frequent in an image, an archive or a database."""
MOST_GARBAGE = 0.1
"""Share of them above which the content is no text."""


def _mark(error: UnicodeError) -> tuple[str, int]:
    """Stands in for bytes that are not text: a lone surrogate, which no valid text has."""
    return "\udcff", error.end  # type: ignore[attr-defined]


codecs.register_error(_MARK, _mark)


def encoding_of(head: bytes) -> str:
    """By the byte order mark; UTF-8 without one."""
    return UTF16 if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else UTF8


@lru_cache(maxsize=4)  # every recogniser asks for the same
def head_text(head: bytes) -> str | None:
    """The first bytes as text, `None` where they are not text (an image, an archive, a database).

    >>> head_text(b"\\xef\\xbb\\xbfid,quality\\r\\n"), head_text(b"\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0")
    ('id,quality\\r\\n', None)
    """
    encoding = encoding_of(head)
    if encoding == UTF8:
        head = head.removeprefix(codecs.BOM_UTF8)
    text = codecs.getincrementaldecoder(encoding)(errors=_MARK).decode(head)
    garbage = len(text) - len(text.translate(_NOT_TEXT))
    return text if garbage <= len(text) * MOST_GARBAGE else None


def is_marked(text: str) -> bool:
    """Whether some bytes of it were not text."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def shown(text: str) -> str:
    """The same with what is not text written as \\xNN, so that it can be stored."""
    if not is_marked(text):
        return text
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw = text.encode("utf-8", "surrogatepass")
    return raw.decode("utf-8", "backslashreplace")


def lines_in(text: str) -> list[str]:
    """Its lines without their endings: LF, CR LF or CR and no other, as every editor numbers them.

    >>> lines_in("a\\r\\nb\\u2028c\\n")
    ['a', 'b\\u2028c']
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def utf8_blocks(path: Path, size: int) -> Iterator[bytes]:
    """The file in blocks of UTF-8 without a BOM. What is not text stays invalid UTF-8."""
    with path.open("rb") as file:
        block = file.read(size)
        if encoding_of(block) == UTF8:
            block = block.removeprefix(codecs.BOM_UTF8)
            while block:
                yield block
                block = file.read(size)
            return
        decoder = codecs.getincrementaldecoder(UTF16)(errors=_MARK)
        while block:
            yield decoder.decode(block).encode("utf-8", "surrogatepass")
            block = file.read(size)
        if rest := decoder.decode(b"", final=True):
            yield rest.encode("utf-8", "surrogatepass")


def physical_lines(path: Path) -> Iterator[str | None]:
    """The lines with their endings (LF, CR LF or CR); `None` for one that is longer than `MAX_LINE`."""
    yield from lines_of(utf8_blocks(path, 1 << 20))


def lines_of(blocks: Iterator[bytes]) -> Iterator[str | None]:
    """The lines of UTF-8 blocks, decoded; bytes that are not text are marked."""
    raw = io.BufferedReader(_Joined(blocks))
    file = io.TextIOWrapper(raw, encoding=UTF8, errors="surrogateescape", newline="")
    while line := file.readline(MAX_LINE):
        if len(line) < MAX_LINE or line.endswith(("\n", "\r")):
            yield line
            continue
        while line and not line.endswith(("\n", "\r")):
            line = file.readline(MAX_LINE)
        yield None


class _Joined(io.RawIOBase):
    """Blocks as one stream."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = memoryview(block)
        n = min(len(buffer), len(self._rest))
        buffer[:n] = self._rest[:n]
        self._rest = self._rest[n:]
        return n
