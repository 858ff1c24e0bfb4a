"""What elements stand in an XML report, and where? One pass in bounded memory over what producers really write.

Reports come in any encoding, with control characters, bare ampersands, text before the declaration, and cut short.
What can be read is read. defusedxml refuses a DOCTYPE, and with it entities and other files.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Protocol
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from quality.readers.base import Artifact
from quality.readers.evidence import excerpt
from quality.readers.log_lines import encoding_of_log

BLOCK = 1 << 20
MOST_TOKEN = 16 * BLOCK
"""Bytes of one tag or comment: reading a longer one again with each block would take long."""
MOST_DEPTH = 250
MOST_DOCUMENTS = 1_000
"""Reports one behind the other in one file."""
MORE = tuple(
    errors.codes[name] for name in (errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT, errors.XML_ERROR_MISPLACED_XML_PI)
)
"""What the parser says of a second document."""
TAIL = 64
"""Bytes of a block that are kept beside the next one, for a document that begins between them."""
MOST_BEFORE = 8 * 1024
"""Characters of other output that may stand before the report."""
AROUND, PIECE, LONG_LINE = 6 * 1024, 1_500, 400
"""Of evidence: bytes read around a place, characters kept of its line, and of another line."""
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{2,40})[\"']")
_TEXT_CODECS = re.compile(r"iso8859|cp\d|koi8|gb|big5|shift_jis|euc_|ascii|utf-8|mac")
_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*\?>")
_BEFORE_ROOT = re.compile(r"\s+|<\?[^>]*>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE[^\[>]*(?:\[[^\]]*\]\s*)?>")
_ROOT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)")
_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)")
_NUMBERED = re.compile(r"&#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));")
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_LONGEST_REFERENCE = 12
STAND_IN = "\ufffd"


class Place(NamedTuple):
    """Where an element begins."""

    line: int
    offset: int
    """Bytes of the text as UTF-8."""


@dataclass(frozen=True)
class Trouble:
    """Why the rest of a report could not be read."""

    line: int
    reason: str
    is_refused: bool = False
    """Nothing of it is to be used."""


class Elements(Protocol):
    """Who is told of each element, in order."""

    place: Place

    def start(self, name: str, attributes: dict[str, str]) -> None: ...

    def end(self, name: str) -> None: ...

    def data(self, text: str) -> None: ...


class _TooDeepError(Exception):
    pass


def root_of(artifact: Artifact) -> tuple[str, str]:
    """The name of the first element without its prefix, and the text from there on; empty if it is no XML.

    What a package runner prints before the report is passed over.
    """
    text = codecs.getincrementaldecoder(_encoding(artifact.head))(errors="replace").decode(artifact.head)
    place = 0
    text = text[_other_output(text) :].lstrip("\ufeff")
    while found := _BEFORE_ROOT.match(text, place):
        place = found.end()
    found = _ROOT.match(text, place)
    return (found[1], text[place:]) if found else ("", "")


def walk(artifact: Artifact, elements: Elements) -> Trouble | None:
    """Every element is told to `elements`; what ends the walk early is returned.

    Reports that were put into one file one behind the other are read one after the other.
    """
    told = _Told(elements)
    blocks = utf8(artifact)
    ended = _document(told, blocks)
    for _ in range(MOST_DOCUMENTS):
        if not isinstance(ended, bytes):
            return ended
        ended = _document(told, chain([ended], blocks))
    return Trouble(told.before.line + 1, f"more than {MOST_DOCUMENTS:,} reports in one file")


def _document(told: "_Told", blocks: Iterable[bytes]) -> Trouble | bytes | None:
    """One document; if another follows, the block that it begins in from there on."""
    parser = DefusedXMLParser(target=told, encoding="utf-8", forbid_dtd=True)
    expat = told.expat = parser.parser
    told.is_closed = False
    fed, last = 0, b""
    try:
        for block in blocks:
            try:
                parser.feed(block)
            except ParseError as error:
                held, at = last + block, expat.ErrorByteIndex - fed + len(last)
                if error.code not in MORE or not told.is_closed or at < 0 or held[at : at + 1] != b"<":
                    raise
                told.before = Place(
                    told.before.line + expat.ErrorLineNumber - 1, told.before.offset + expat.ErrorByteIndex
                )
                return _without_declaration(held[at:].decode()).encode()
            fed += len(block)
            last = block[-TAIL:]
            if fed - expat.CurrentByteIndex > MOST_TOKEN:
                return Trouble(told.line, "one tag is too long")
        parser.close()
    except DefusedXmlException:
        return Trouble(
            told.line, "it has a DOCTYPE, which can name entities and other files: not read", is_refused=True
        )
    except _TooDeepError:
        return Trouble(told.line, f"elements stand more than {MOST_DEPTH} deep")
    except ParseError as error:
        reason = f"no XML from here on ({str(error).split(':')[0]})"
        return Trouble(told.before.line + error.position[0], reason)
    return None


class _Told:
    """The parser's events with their places, and without namespaces."""

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._depth = 0
        self.is_closed = False
        """Whether the root of the document has ended."""
        self.before = Place(0, 0)
        """What stands before the document."""
        self.expat: Any = None
        self.data = elements.data

    @property
    def line(self) -> int:
        """Where the parser is."""
        return self.before.line + self.expat.CurrentLineNumber

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise _TooDeepError
        self._elements.place = Place(self.line, self.before.offset + self.expat.CurrentByteIndex)
        self._elements.start(tag.rpartition("}")[2], attributes)

    def end(self, tag: str) -> None:
        self._depth -= 1
        self.is_closed = not self._depth
        self._elements.end(tag.rpartition("}")[2])

    def close(self) -> None:
        """The end of the document."""


def utf8(artifact: Artifact) -> Iterator[bytes]:
    """The report as UTF-8 that a parser can read: lines stay where they are, its declaration is blank."""
    with artifact.path.open("rb") as file:
        block = file.read(BLOCK)
        decoder = codecs.getincrementaldecoder(_encoding(block))(errors="replace")
        rest, is_first = "", True
        while block:
            text = rest + decoder.decode(block)
            if is_first:
                text, is_first = _without_declaration(text.removeprefix("\ufeff")), False
            cut = text.rfind("&", -_LONGEST_REFERENCE)
            text, rest = (text[:cut], text[cut:]) if cut >= 0 else (text, "")
            yield _legal(text).encode()
            block = file.read(BLOCK)
        yield _legal(rest + decoder.decode(b"", final=True)).encode()


def _legal(text: str) -> str:
    """Without what no XML may hold.

    >>> _legal("a & b &lt; &#x1b;[31m \\x00 &nbsp;")
    'a &amp; b &lt; \ufffd[31m \ufffd &amp;nbsp;'
    """
    if "&" in text:
        text = _AMPERSAND.sub("&amp;", text)
        if "&#" in text:
            text = _NUMBERED.sub(_legal_number, text)
    return _ILLEGAL.sub(STAND_IN, text)


def _legal_number(found: re.Match[str]) -> str:
    number = int(found[1], 16) if found[1] else int(found[2])
    return found[0] if number <= 0x10FFFF and number and not _ILLEGAL.match(chr(number)) else STAND_IN


def _without_declaration(text: str) -> str:
    before = _other_output(text)
    found = _DECLARATION.match(text, before)
    end = found.end() if found else before
    return "".join(sign if sign in "\r\n" else " " for sign in text[:end]) + text[end:]


def _other_output(text: str) -> int:
    """How much a package runner printed before the report."""
    if text.lstrip("\ufeff \t\r\n")[:1] in ("<", "{", "["):
        return 0
    found = re.search(r"^[ \t]*(?=<(?:\?xml\s|testsuites?[\s>]))", text[:MOST_BEFORE], re.MULTILINE)
    return found.start() if found else 0


def _encoding(head: bytes) -> str:
    """By the byte order mark, by zeros beside the letters, by the declaration; UTF-8 in doubt."""
    for mark, name in ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF8, "utf-8")):
        if head.startswith(mark):
            return name
    found = encoding_of_log(head)
    declared = _DECLARED.search(head[:1024])
    if found != "utf-8" or not declared:
        return found
    try:
        name = codecs.lookup(declared[1].decode()).name
    except LookupError:
        return found
    return name if _TEXT_CODECS.match(name) else found


def excerpts(artifact: Artifact, places: list[Place]) -> dict[Place, str]:
    """The text around each place, safe to keep; of a report without line breaks a piece."""
    found: dict[Place, str] = {}
    todo = sorted(set(places), key=lambda place: place.offset)
    held, begins = b"", 0
    for block in utf8(artifact) if todo else ():
        held += block
        while todo and begins + len(held) >= todo[0].offset + AROUND:
            place = todo.pop(0)
            found[place] = _around(held, place.offset - begins)
        if not todo:
            return found
        keep = max(0, min(len(held), todo[0].offset - AROUND - begins))
        held, begins = held[keep:], begins + keep
    for place in todo:
        found[place] = _around(held, place.offset - begins)
    return found


def _around(held: bytes, offset: int) -> str:
    before = held[max(0, offset - AROUND) : offset].decode("utf-8", "ignore").split("\n")
    after = held[offset : offset + AROUND].decode("utf-8", "ignore").split("\n")
    start = before[-1] if len(before[-1]) + len(after[0]) <= LONG_LINE else before[-1][-PIECE // 3 :]
    lines = [line[:LONG_LINE] for line in before[:-1]]
    lines += [start + after[0][:PIECE], *(line[:LONG_LINE] for line in after[1:])]
    return excerpt(lines, len(before), len(before))
