"""What is a test known by, so that two artifacts that tell of it count it once?

A report that names its tests is kept as one number a test and one letter for how it ended; the names themselves are
not stored.
"""

from hashlib import blake2b

LETTERS = {"passed": "p", "flaky": "y", "failed": "f", "errors": "e", "skipped": "s"}
"""How a test ended → its letter. `flaky` = passed in the end after a failure."""


def known_by(*parts: str, nth: int = 0) -> int:
    """Class or file, name and parameters → a signed 64-bit number, the same in every process and on every machine.

    `nth` tells apart tests of one name in one report (identical ones that all passed count each).

    >>> known_by("pkg.Class", "test_a") == known_by("pkg.Class", "test_a")
    True
    >>> known_by("pkg", "a") == known_by("pkg", "b"), known_by("ab", "c") == known_by("a", "bc")
    (False, False)
    """
    text = "\x1f".join((*parts, str(nth)))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)
