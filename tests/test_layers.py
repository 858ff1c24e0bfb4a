"""Do imports go one way, and do SQL, network and screen code stay where they belong? (STYLE.md, rules 1, 2, 8)

A violation is printed as file:line. The checker itself is tested on planted ones.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

LAYERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("core", ("quality", "quality.judges.wording")),
    ("trust", ("quality.trust",)),
    ("readers and judges", ("quality.readers", "quality.judges")),
    ("ledger", ("quality.ledger",)),
    (
        "faces",
        tuple(
            f"quality.{name}"
            for name in (
                *("export", "client", "api", "cli", "__main__", "home", "sample", "preview"),
                *("response_scorer", "response_spool", "trouble"),
            )
        ),
    ),
    ("components", ("pages.components",)),
    ("pages", ("pages",)),
    ("process", ("app",)),
)
"""Lowest first. A module is of the layer with its longest prefix and imports its own layer or a lower one."""

CONFINED: dict[str, tuple[str, ...]] = {
    "streamlit": ("app", "pages"),
    "plotly": ("pages",),
    "duckdb": ("quality.ledger.store",),
    **dict.fromkeys(
        (
            "socket",
            "ssl",
            "http.client",
            "urllib.request",
            "httpx",
            "httpx2",
            "requests",
            "aiohttp",
            "anthropic",
            "openai",
        ),
        ("quality.client", "quality.api", "quality.judges"),
    ),
}
"""Package → the modules, by prefix, that may import it."""

SQL = re.compile(
    r"\s*(SELECT\b.+\bFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|MERGE\s+INTO|WITH\s+\w+\s+AS\s*\(|PRAGMA\s+\w"
    r"|(CREATE|ALTER|DROP)\s+(OR\s+REPLACE\s+)?(TEMP\w*\s+)?(TABLE|VIEW|INDEX|SCHEMA|MACRO)|ATTACH\s+['{]|(FROM|COPY)\s*\()",
    re.DOTALL,
)
"""A string literal that starts so is a statement, and belongs in a `.sql` file."""
MOST_LINES = 400

Violation = str


def module_of(path: Path, root: Path) -> str:
    """`quality/ledger/__init__.py` → `quality.ledger`."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def within(module: str, prefixes: tuple[str, ...]) -> bool:
    return any(module == prefix or module.startswith(prefix + ".") for prefix in prefixes)


def layer_of(module: str) -> int | None:
    """Index in `LAYERS`, `None` for a module that is not ours."""
    fits = [
        (len(prefix), place)
        for place, (_, prefixes) in enumerate(LAYERS)
        for prefix in prefixes
        if within(module, (prefix,))
    ]
    return max(fits)[1] if fits else None


def imports_of(tree: ast.Module, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """Line and full name of everything imported, inside functions too; `from a import b` gives `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = module.split(".")[: len(module.split(".")) - node.level + is_package]
                base = ".".join([*parents, *filter(None, [node.module])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def check_imports(path: Path, root: Path) -> Iterator[Violation]:
    """Imports that go up a layer, or of a package that is confined elsewhere."""
    module = module_of(path, root)
    here = layer_of(module)
    assert here is not None
    for line, name in imports_of(ast.parse(path.read_bytes()), module, path.name == "__init__.py"):
        place = f"{path.relative_to(root)}:{line}"
        there = layer_of(name)
        if there is not None and there > here:
            yield f"{place}: {LAYERS[here][0]} imports {name} of the higher layer {LAYERS[there][0]!r}"
        for package, homes in CONFINED.items():
            if within(name, (package,)) and not within(module, homes):
                yield f"{place}: imports {name}, which only {', '.join(homes)} may"


def check_text(path: Path, root: Path) -> Iterator[Violation]:
    """SQL in a string, HTML let through unsafely, or too many lines for one question."""
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(root)
    if (lines := text.count("\n")) > MOST_LINES:
        yield f"{name}:{lines}: {lines} lines: at most {MOST_LINES}, split it by question"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.match(node.value):
            yield f"{name}:{node.lineno}: SQL in a string: move it to a .sql file"
        if isinstance(node, ast.keyword) and node.arg == "unsafe_allow_html":
            yield f"{name}:{node.lineno}: unsafe_allow_html: other people's text must stay text"


def check_asking(path: Path, root: Path) -> Iterator[Violation]:
    """A page that executes a command by another way than `process.execute`, which says who asks."""
    module = module_of(path, root)
    if not within(module, ("pages",)) or module == "pages.components.process":
        return
    for node in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(node, ast.Attribute) or node.attr not in ("execute", "transaction"):
            continue
        if ast.unparse(node) != "process.execute":
            yield f"{path.relative_to(root)}:{node.lineno}: .{node.attr}: a page writes by process.execute"


def product_files(root: Path) -> list[Path]:
    return [p for p in (root / "app.py", *root.glob("quality/**/*.py"), *root.glob("pages/**/*.py")) if p.is_file()]


def all_files(root: Path) -> list[Path]:
    more = (path for folder in ("tests", "scripts", "bench") for path in root.glob(f"{folder}/**/*.py"))
    return [*product_files(root), *more]


def test_imports_go_one_way_and_packages_stay_where_they_belong():
    """Core < readers < ledger < faces < components < pages < app; nothing imports upwards."""
    violations = [v for path in product_files(ROOT) for v in check_imports(path, ROOT)]
    assert not violations, "\n" + "\n".join(violations)


def test_pages_write_as_the_person_in_front_of_them():
    """There is no call of a ledger's own `execute`, and no transaction, in a page."""
    violations = [v for path in product_files(ROOT) for v in check_asking(path, ROOT)]
    assert not violations, "\n" + "\n".join(violations)


def test_product_code_holds_no_sql_and_no_unsafe_html():
    """Statements lie in .sql files, and no page lets HTML through."""
    violations = [v for path in product_files(ROOT) for v in check_text(path, ROOT)]
    assert not violations, "\n" + "\n".join(violations)


def test_no_file_is_too_long_to_answer_one_question():
    """400 lines are the most, tests, scripts and SQL included."""
    files = [*all_files(ROOT), *ROOT.glob("quality/**/*.sql")]
    long = {str(p.relative_to(ROOT)): n for p in files if (n := p.read_text(encoding="utf-8").count("\n")) > MOST_LINES}
    assert not long


PLANTED = (
    ("quality/tiers.py", "import os\nfrom quality.ledger import rows", ":2: core imports quality.ledger.rows of"),
    ("quality/readers/csv.py", "def f():\n    import quality.cli", ":2: readers and judges imports quality.cli"),
    ("quality/ledger/x.py", "from ..cli import main", ":1: ledger imports quality.cli.main"),
    ("quality/ledger/y.py", "import duckdb", ":1: imports duckdb, which only quality.ledger.store may"),
    ("quality/home.py", "from streamlit import cache_data", ":1: imports streamlit.cache_data, which only"),
    ("quality/signals.py", "\n\nimport httpx", ":3: imports httpx, which only quality.client"),
    ("pages/components/data.py", "import pages.main", ":1: components imports pages.main"),
)
PLANTED_TEXT = (
    ("quality/q.py", 'A = 1\nB = """\n  SELECT a\n  FROM b"""', ":2: SQL in a string"),
    ("quality/f.py", 'def g(x):\n    return f"INSERT INTO {x} VALUES (1)"', ":2: SQL in a string"),
    ("pages/p.py", 'import streamlit as st\nst.write("a", unsafe_allow_html=True)', ":2: unsafe_allow_html"),
    ("quality/long.py", "x = 1\n" * 401, ":401: 401 lines"),
)


def planted(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "text", "expected"), PLANTED)
def test_a_planted_import_is_caught_with_file_and_line(tmp_path, name, text, expected):
    """Direct, nested, relative and from-imports alike."""
    (found,) = check_imports(planted(tmp_path, name, text), tmp_path)
    assert found.startswith(name + expected)


@pytest.mark.parametrize(("name", "text", "expected"), PLANTED_TEXT)
def test_planted_text_is_caught_with_file_and_line(tmp_path, name, text, expected):
    """In plain strings and in f-strings."""
    (found,) = check_text(planted(tmp_path, name, text), tmp_path)
    assert found.startswith(name + expected)


PLANTED_ASKING = (
    (
        "pages/p.py",
        "from x import process\nprocess.ledger().execute(1)",
        ":2: .execute: a page writes by process.execute",
    ),
    ("pages/components/c.py", "def f(ledger):\n    return ledger.execute", ":2: .execute: a page"),
    ("pages/components/d.py", "store.transaction()", ":1: .transaction: a page"),
)


@pytest.mark.parametrize(("name", "text", "expected"), PLANTED_ASKING)
def test_a_planted_way_round_the_door_is_caught_with_file_and_line(tmp_path, name, text, expected):
    """Called or handed on."""
    (found,) = check_asking(planted(tmp_path, name, text), tmp_path)
    assert found.startswith(name + expected)


def test_what_is_allowed_passes(tmp_path):
    """A lower layer, one's own layer, duckdb in its one home, and prose that merely begins like SQL."""
    store = planted(tmp_path, "quality/ledger/store.py", "import duckdb\nfrom quality.errors import QualityError\n")
    text = 'import streamlit\nfrom pages.components import data\nA = "SELECT one"\n'
    page = planted(tmp_path, "pages/stories.py", text)
    assert [*check_imports(store, tmp_path), *check_imports(page, tmp_path), *check_text(page, tmp_path)] == []
    asks = planted(tmp_path, "pages/asks.py", "process.execute(1)\n")
    assert [*check_asking(asks, tmp_path), *check_asking(store, tmp_path)] == []
