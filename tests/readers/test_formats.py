"""What a file is, its bytes tell; what is of no format is refused with the reason."""

import pytest

from quality.readers.formats import READERS


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"<!DOCTYPE html><html><body>story_id,quality</body></html>", "an HTML page"),
        (b"\xef\xbb\xbf<html>", "an HTML page"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01", "a PNG image"),
        (b"PK\x03\x04\x14\x00\x06\x00", "a ZIP archive"),
        (b"quality,source\n7,human\n", "no column story_id .there are: quality, source."),
        (b"S-1,human,7\nS-2,human,8\n", "no column story_id"),
        (b"story_id,title\nS-1,x\n", "says nothing of a run"),
        (b'{"storyid": "S-1", "rating": "7"}\n', "no column story_id"),
        (b"just some words\n", "no format that can be read"),
        (bytes(range(256)) * 10, "no format that can be read"),
    ],
)
def test_what_cannot_be_read_is_one_reject_that_says_why_and_what_can(read, content, reason):
    said = read(content)
    (reject,) = said.rejects
    with pytest.raises(ValueError, match=reason):
        raise ValueError(reject["reason"])
    assert "csv" in reject["reason"]
    assert len(said.tables) == 1


def test_every_format_has_a_name_of_its_own():
    assert len({reader.format for reader in READERS}) == len(READERS)
