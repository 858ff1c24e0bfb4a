"""What is a test called, whichever report tells of it? One text for the class or file, the name and the parameters.

Producers write one test in several ways: pytest's XML has the class `tests.test_a.TestC`, its JSON the node
`tests/test_a.py::TestC::test_x`; xUnit.net repeats the class in the name, jest-junit has the whole title twice, an
aggregate of reports renames the suites. Where such forms can be told from the text alone they become the same text here.
Suites count only where a test has no class.

Jest and mocha know a test by its titles alone, since their usual XML does not tell the file.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import islice

import numpy as np

from quality.named_tests import LETTERS

MOST_NAMED = 200_000
"""Tests of one artifact that are kept by name."""
TOO_MANY = f"it tells of more than {MOST_NAMED:,} tests: they are counted, but not known by name"
BETWEEN = "\x1f"
"""Stands before a parameter that is no part of the name."""
_SCRIPT = re.compile(r"\.[cm]?[jt]sx?$")
"""How a JavaScript or TypeScript file ends."""
_OF_PATH = 2
"""Folder and name of it are taken: one report has the whole path, another a part."""
_MODULE = re.compile(r"(?P<path>[^:]*?)\.(?:py|rb)(?P<inside>(?:::.*)?)$")
"""A Python or Ruby file, with the classes in it."""
_TITLES = re.compile(r" (?:>|›) ")
"""Between the titles of a test and of the blocks around it."""


@dataclass(frozen=True)
class Named:
    """What each test is known by and how it ended; each number once."""

    ids: list[int]
    outcomes: str
    """A letter of `LETTERS` each."""


def full_name(where: str, name: str, *parameters: str) -> str:
    """Class, file or package, name, and parameters that the name does not hold → one text; empty without a name.

    >>> full_name("tests.test_a.TestC", "test_x[1]") == full_name("tests/test_a.py::TestC", "test_x[1]")
    True
    >>> full_name("Shop.CartTests", "Adds"), full_name("Shop.CartTests", "Shop.CartTests.Adds")
    ('Shop.CartTests.Adds', 'Shop.CartTests.Adds')
    >>> full_name("cart adds", "cart adds"), full_name("/home/ci/shop/v/a.test.ts", "cart > adds")
    ('cart adds', 'v/a.test.ts.cart adds')
    """
    if not name:
        return ""
    place = where and _place(where)
    if place and place[-1] in "sx" and _SCRIPT.search(place):
        name = _TITLES.sub(" ", name)
    if place and name != place and not (name.startswith(place + ".") or name.endswith(" " + place)):
        name = f"{place}.{name}"
    return BETWEEN.join((name, *parameters)) if parameters else name


def node_name(node: str) -> str:
    """A node of pytest's: `tests/test_a.py::TestC::test_x[a::b]`.

    >>> node_name("tests/test_a.py::TestC::test_x[a::b]")
    'tests.test_a.TestC.test_x[a::b]'
    """
    base, bracket, parameters = node.partition("[")
    where, _, name = base.rpartition("::")
    return full_name(where, name + bracket + parameters)


def named(tests: Iterable[tuple[str, str]]) -> Named | None:
    """Name and result (a key of `LETTERS`) of each test; `None` where one has no name, or they are too many.

    Tests of one name are told apart by their order.
    """
    told = list(islice(tests, MOST_NAMED + 1))
    if not told or len(told) > MOST_NAMED or not all(name for name, _ in told):
        return None
    return Named(numbers(name for name, _ in told), "".join([LETTERS[result] for _, result in told]))


def numbers(names: Iterable[str]) -> list[int]:
    """`known_by` of each name, and of those that stand there again as the next of that name."""
    told = list(names)
    if len(set(told)) == len(told):
        texts = [f"{name}{BETWEEN}0" for name in told]
    else:
        seen: Counter[str] = Counter()
        texts = []
        for name in told:
            texts.append(f"{name}{BETWEEN}{seen[name]}")
            seen[name] += 1
    digests = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts]
    return np.frombuffer(b"".join(digests), ">i8").tolist()


@lru_cache(maxsize=4096)  # of many tests of one class
def _place(where: str) -> str:
    """One way to write a class or file."""
    where = where.strip().replace("\\", "/").removeprefix("./")
    if _SCRIPT.search(where):
        return "/".join(where.split("/")[-_OF_PATH:])
    if module := _MODULE.match(where):
        return module["path"].replace("/", ".") + module["inside"].replace("::", ".")
    return where.replace("::", ".")
