"""Which runners are known? One file each in this folder, listed here."""

import re

from quality.readers.console.bun import Bun
from quality.readers.console.cargo import CargoTest
from quality.readers.console.catch2 import Catch2
from quality.readers.console.ctest import Ctest
from quality.readers.console.dart import Dart
from quality.readers.console.deno import Deno
from quality.readers.console.dotnet import Dotnet
from quality.readers.console.exit_codes import ExitCodes
from quality.readers.console.exunit import ExUnit
from quality.readers.console.go_json import GoJson
from quality.readers.console.go_text import GoText
from quality.readers.console.googletest import GoogleTest
from quality.readers.console.gradle import Gradle
from quality.readers.console.jest import Jest
from quality.readers.console.maven import Maven
from quality.readers.console.mocha import Mocha
from quality.readers.console.nextest import Nextest
from quality.readers.console.node_test import NodeTest
from quality.readers.console.phpunit import Phpunit
from quality.readers.console.playwright import Playwright
from quality.readers.console.pytest_console import Pytest
from quality.readers.console.ruby import Ruby
from quality.readers.console.runner import Runner
from quality.readers.console.swift import Swift
from quality.readers.console.tap import Tap
from quality.readers.console.unittest_console import Unittest
from quality.readers.console.vitest import Vitest

RUNNERS: tuple[type[Runner], ...] = (
    Pytest, Unittest, Jest, Vitest, Mocha, NodeTest, Playwright, GoText, GoJson, CargoTest, Nextest, Ctest, Maven, Gradle, Dotnet,
    Phpunit, Ruby, Tap, GoogleTest, Catch2, Swift, ExUnit, Bun, Deno, Dart,
)  # fmt: skip
ALL: tuple[type[Runner], ...] = (*RUNNERS, ExitCodes)
MARKS = re.compile("|".join(kind.marks.pattern for kind in ALL))
"""A line that matches none of it is of no runner: nearly all lines of a log."""
WHOSE = re.compile("".join(f"(?:(?=({kind.marks.pattern}))|)" for kind in ALL))
"""A group for each of `ALL`, not empty where the line begins with its marks; it matches every line."""
ENDS = tuple({end for kind in ALL for end in kind.ends})
INSIDE = re.compile("|".join(re.escape(part) for kind in ALL for part in kind.inside))
